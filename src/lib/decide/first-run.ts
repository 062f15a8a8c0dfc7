import { isRecord } from '../record.ts';

type Json = Record<string, unknown>;

/** A question that Claude Code asks at a first start, and what it is about (a folder, the end of a key). */
export interface FirstRunQuestion {
  question: 'onboarding' | 'trust' | 'api-key';
  about: string;
}

/**
 * Which first-run questions Claude Code's state file leaves open: onboarding, trust of each of `roots`, and the custom API key
 * in the environment. A person who said no to that key is not overruled.
 */
export function openQuestions(state: Json, roots: readonly string[], apiKey: string | undefined): FirstRunQuestion[] {
  const open: FirstRunQuestion[] = [];
  if (state.hasCompletedOnboarding !== true) open.push({ question: 'onboarding', about: '' });
  const projects = objectOf(state.projects);
  for (const root of roots) {
    if (objectOf(projects[root]).hasTrustDialogAccepted !== true) open.push({ question: 'trust', about: root });
  }
  if (apiKey) {
    const { approved, rejected } = keyResponses(state);
    const tail = apiKey.slice(-20);
    if (!approved.includes(tail) && !rejected.includes(tail)) open.push({ question: 'api-key', about: tail });
  }
  return open;
}

/** The state with these questions answered; everything else in it stays as it is. */
export function withAnswers(state: Json, questions: readonly FirstRunQuestion[]): Json {
  const next: Json = { ...state };
  for (const { question, about } of questions) {
    if (question === 'onboarding') next.hasCompletedOnboarding = true;
    else if (question === 'trust') {
      const projects = objectOf(next.projects);
      next.projects = { ...projects, [about]: { ...objectOf(projects[about]), hasTrustDialogAccepted: true } };
    } else {
      const { approved, rejected } = keyResponses(next);
      const responses = objectOf(next.customApiKeyResponses);
      next.customApiKeyResponses = { ...responses, approved: [...approved, about], rejected };
    }
  }
  return next;
}

/** Whether a folder is trusted: itself, or a folder above it (that covers what is below; seen on 2.1.328). */
export function trustsFolder(state: Json, folder: string): boolean {
  const projects = objectOf(state.projects);
  for (let at = folder; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
    if (objectOf(projects[at]).hasTrustDialogAccepted === true) return true;
  }
  return objectOf(projects['/']).hasTrustDialogAccepted === true;
}

function keyResponses({ customApiKeyResponses }: Json): { approved: unknown[]; rejected: unknown[] } {
  const { approved, rejected } = objectOf(customApiKeyResponses);
  return {
    approved: Array.isArray(approved) ? approved : [],
    rejected: Array.isArray(rejected) ? rejected : [],
  };
}

function objectOf(value: unknown): Json {
  return isRecord(value) ? value : {};
}
