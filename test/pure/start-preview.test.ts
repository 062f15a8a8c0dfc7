import { describe, expect, it } from 'vitest';
import type { AdmissionDecision } from '../../src/lib/decide/admission.ts';
import { openQuestions, trustsFolder, withAnswers } from '../../src/lib/decide/first-run.ts';
import { type PreviewFacts, previewStart } from '../../src/lib/decide/start-preview.ts';

const admitted: AdmissionDecision = { kind: 'admit', reason: 'below-ceiling', words: '3 of 9 sessions', counted: 2 };
const refused = (reason: AdmissionDecision['reason']): AdmissionDecision => ({
  kind: 'refuse',
  reason,
  words: 'because',
  counted: undefined,
});

describe('what a start would come to', () => {
  it.each<[string, Partial<PreviewFacts>, string, number]>([
    ['a slot', {}, 'would-start', 0],
    ['no slot', { admission: refused('at-ceiling') }, 'refused', 75],
    ['too little memory', { admission: refused('below-memory-floor') }, 'refused', 75],
    ['nothing to count by', { admission: refused('roster-unreadable') }, 'refused', 69],
    ['nobody asked for one', { admission: undefined }, 'refused', 69],
    ['no tmux', { cannotSpawn: 'tmux: ENOENT' }, 'would-fail', 70],
    ['no slot, and no tmux', { admission: refused('at-ceiling'), cannotSpawn: 'x' }, 'refused', 75],
    ['an earlier start that runs', { earlier: { kind: 'runs', sessionId: 's' } }, 'would-find', 0],
    [
      'one that runs needs no slot',
      { earlier: { kind: 'runs', sessionId: 's' }, admission: undefined },
      'would-find',
      0,
    ],
    ['one that failed', { earlier: { kind: 'failed', why: 'a dialog' }, admission: undefined }, 'would-fail', 70],
    ['one of which nothing can be told yet', { earlier: { kind: 'under-way' }, admission: undefined }, 'refused', 75],
  ])('%s', (_, facts, result, exitCode) => {
    const given: PreviewFacts = { earlier: { kind: 'none' }, admission: admitted, cannotSpawn: undefined };
    expect(previewStart({ ...given, ...facts })).toMatchObject({ result, exitCode });
  });
});

describe('first-run questions', () => {
  const key = 'sk-ant-0123456789012345678901234567890';
  const done = { hasCompletedOnboarding: true, projects: { '/a': { hasTrustDialogAccepted: true, mine: 1 } } };

  it.each<[string, object, string[], string | undefined, string[]]>([
    ['a state that is not there yet', {}, ['/a'], key, ['onboarding', 'trust', 'api-key']],
    ['all answered', done, ['/a'], undefined, []],
    ['a second folder', done, ['/a', '/b'], undefined, ['trust']],
    ['a key somebody approved', { ...done, customApiKeyResponses: { approved: [key.slice(-20)] } }, [], key, []],
    ['a key somebody refused', { ...done, customApiKeyResponses: { rejected: [key.slice(-20)] } }, [], key, []],
    ['nonsense in its places', { ...done, projects: [], customApiKeyResponses: 3 }, ['/a'], key, ['trust', 'api-key']],
  ])('%s', (_, state, roots, apiKey, expected) => {
    const open = openQuestions({ ...state }, roots, apiKey);
    expect(open.map(({ question }) => question)).toEqual(expected);
    expect(openQuestions(withAnswers({ ...state }, open), roots, apiKey)).toEqual([]);
  });

  it('are answered without a change to anything else', () => {
    const state = {
      ...done,
      oauthAccount: { id: 1 },
      customApiKeyResponses: { approved: ['x'], rejected: ['y'], z: 1 },
    };
    const before = structuredClone(state);
    expect(withAnswers(state, openQuestions(state, ['/b'], key))).toEqual({
      ...before,
      projects: { ...before.projects, '/b': { hasTrustDialogAccepted: true } },
      customApiKeyResponses: { approved: ['x', key.slice(-20)], rejected: ['y'], z: 1 },
    });
    expect(state).toEqual(before);
  });

  it('a folder is trusted by one above it, and not by one beside it', () => {
    expect(['/a', '/a/b/c', '/ab', '/', '/b'].map((folder) => trustsFolder(done, folder))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
    expect(trustsFolder({ projects: { '/': { hasTrustDialogAccepted: true } } }, '/x')).toBe(true);
  });
});
