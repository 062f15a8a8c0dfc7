import type { Context } from '../../context.ts';
import { openQuestions } from '../../decide/first-run.ts';
import { acceptBypass, bypassAccepted, bypassFile } from './accept-bypass.ts';
import { claudeStateFile, preAnswerDialogs, readClaudeState, trustedFolders } from './pre-answer.ts';
import { asksForBypass, launchSettings } from './settings.ts';
import type { Start } from './start-request.ts';

type Asked = Pick<Start, 'cwd' | 'kind' | 'args'>;

/** A question of Claude Code's that is answered before it is asked, and where the answer is given. */
export interface BeforehandAnswer {
  question: 'onboarding' | 'trust' | 'api-key' | 'auto-mode-notice' | 'bypass-warning' | 'mcp-servers';
  /** The folder that is trusted. */
  folder?: string;
  /** The file that is changed; absent for what is said by `--settings`, for that start alone. */
  file?: string;
}

/** Answers what Claude Code would ask at a start. Throws FleetError for a file of its that can't be used. */
export async function answerBeforehand({ env, places }: Context, { cwd, kind, args }: Asked): Promise<void> {
  await preAnswerDialogs(env, places, cwd);
  if (kind === 'background') await acceptBypass(cwd, args);
}

/** What that would answer now, and what the words of the start answer. Reads only; throws what the above would throw. */
export async function beforehandAnswers({ env, places }: Context, start: Asked): Promise<BeforehandAnswer[]> {
  const { cwd, kind, args } = start;
  const file = claudeStateFile(env, places);
  const open = openQuestions(readClaudeState(file), await trustedFolders(cwd, env), env.ANTHROPIC_API_KEY);
  const answers: BeforehandAnswer[] = open.map(({ question, about }) =>
    question === 'trust' ? { question, folder: about, file } : { question, file },
  );
  if (kind === 'background' && asksForBypass(args) && !bypassAccepted(cwd))
    answers.push({ question: 'bypass-warning', file: bypassFile(cwd) });
  const { settings = {} } = launchSettings(args, cwd);
  if (settings.skipAutoPermissionPrompt === true) answers.push({ question: 'auto-mode-notice' });
  if (kind === 'interactive' && settings.skipDangerousModePermissionPrompt === true)
    answers.push({ question: 'bypass-warning' });
  if (settings.enableAllProjectMcpServers === true) answers.push({ question: 'mcp-servers' });
  return answers;
}
