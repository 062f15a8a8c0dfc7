import { existsSync, realpathSync } from 'node:fs';
import { answered, claudeStateFile, preAnswerDialogs, trustRoot, trustsFolder } from '../../act/spawn/pre-answer.ts';
import { messageOf } from '../../errors.ts';
import { readJsonObject } from '../../store/json-object.ts';
import { type Finding, ok, unknown, wrong } from '../finding.ts';
import type { DoctorLook } from '../look.ts';

/** Whether a start in an open task's folder would land on a first-run dialog (ADR 0035 decision 10). */
export async function checkDialogs({ context, open }: DoctorLook): Promise<Finding[]> {
  const { env, places } = context;
  const file = claudeStateFile(env, places);
  let state: Record<string, unknown>;
  try {
    state = readJsonObject(file, 'Claude Code would ask its first-run questions');
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
    const asked = [...new Set([await trustRoot(cwd, env), realpathSync(cwd)])];
    const roots = asked.filter((root) => !trustsFolder(state, root));
    if (answered(state, roots, env.ANTHROPIC_API_KEY) === undefined) continue;
    const means = 'a session that a person starts there lands on a dialog; the toolkit’s own starts answer it';
    const fix = async () => {
      await preAnswerDialogs(env, places, cwd);
      return `answered for ${cwd}`;
    };
    findings.push(wrong('dialogs', `not answered beforehand for ${cwd}`, means, 'watcher-doctor --fix', { task, fix }));
  }
  return findings.length > 0 ? findings : [ok('dialogs', `answered for ${folders.size} folders`)];
}
