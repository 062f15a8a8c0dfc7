import { existsSync } from 'node:fs';
import { claudeStateFile, preAnswerDialogs, readClaudeState, trustedFolders } from '../../act/spawn/pre-answer.ts';
import { openQuestions, trustsFolder } from '../../decide/first-run.ts';
import { messageOf } from '../../errors.ts';
import { type Finding, ok, unknown, wrong } from '../finding.ts';
import type { DoctorLook } from '../look.ts';

/** Whether a start in an open task's folder would land on a first-run dialog (ADR 0035 decision 10). */
export async function checkDialogs({ context, open }: DoctorLook): Promise<Finding[]> {
  const { env, places } = context;
  const file = claudeStateFile(env, places);
  let state: Record<string, unknown>;
  try {
    state = readClaudeState(file);
  } catch (error) {
    return [unknown('dialogs', messageOf(error), 'a start may land on a dialog', `less '${file}'`)];
  }
  const findings: Finding[] = [];
  const folders = new Map<string, string>();
  for (const { name, task } of open) if (task.cwd !== undefined && !folders.has(task.cwd)) folders.set(task.cwd, name);
  for (const [cwd, task] of folders) {
    if (!existsSync(cwd)) {
      findings.push(
        wrong(
          'dialogs',
          `its folder ${cwd} is gone`,
          'its Driver can’t be started',
          `task-file set ${task} cwd=FOLDER`,
          { task },
        ),
      );
      continue;
    }
    const roots = (await trustedFolders(cwd, env)).filter((root) => !trustsFolder(state, root));
    if (openQuestions(state, roots, env.ANTHROPIC_API_KEY).length === 0) continue;
    const means = 'a session that a person starts there lands on a dialog; the toolkit’s own starts answer it';
    const fix = async () => {
      await preAnswerDialogs(env, places, cwd);
      return `answered for ${cwd}`;
    };
    findings.push(wrong('dialogs', `not answered beforehand for ${cwd}`, means, 'watcher-doctor --fix', { task, fix }));
  }
  return findings.length > 0 ? findings : [ok('dialogs', `answered for ${folders.size} folders`)];
}
