import { existsSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { Dialog } from './dialogs.mjs';
import { presses } from './keys.mjs';
import { readJson, stateFile, writeJson } from './places.cjs';

/** True when a folder or one above it was trusted. */
export function isTrusted(cwd) {
  const { projects = {} } = readJson(stateFile) ?? {};
  for (let dir = realpathSync(cwd); ; dir = dirname(dir)) {
    if (projects[dir]?.hasTrustDialogAccepted) return true;
    if (dir === dirname(dir)) return false;
  }
}

/** The first-run dialogs that stand before a session, in order. Each one's default is to go no further. */
export function startupDialogs({ cwd, mode, settings, addDirs }) {
  const dialogs = [];
  if (!isTrusted(cwd)) dialogs.push(trust(cwd));
  const key = process.env.ANTHROPIC_API_KEY?.slice(-20);
  const approved = readJson(stateFile)?.customApiKeyResponses?.approved ?? [];
  if (key && !approved.includes(key)) dialogs.push(apiKey());
  if (mode === 'bypassPermissions' && !settings.skipDangerousModePermissionPrompt) dialogs.push(bypass());
  for (const dir of addDirs) if (existsSync(dir) && !isTrusted(dir)) dialogs.push(oneMoreFolder(dir));
  return dialogs;
}

/** True when onboarding was done; without it the real one checks its connection and gives up. */
export function isOnboarded() {
  return readJson(stateFile)?.hasCompletedOnboarding === true;
}

/** Shows the dialogs one after another; resolves to false as soon as one is declined. */
export async function passDialogs(dialogs) {
  for (const { lines, options, yes, accepted } of dialogs) {
    const chosen = await choice(lines, options);
    if (chosen !== yes) return false;
    accepted?.();
  }
  return true;
}

function choice(lines, options) {
  return new Promise((resolve) => {
    const done = (i) => {
      process.stdin.off('data', onData);
      process.stdin.setRawMode(false);
      resolve(i);
    };
    const settings = { kind: 'startup', lines, options, choose: done, cancel: () => done(-1), numbered: false };
    const dialog = new Dialog(settings);
    const draw = () => {
      process.stdout.write(`\x1b[H\x1b[J${dialog.drawn(process.stdout.columns || 80).join('\r\n')}`);
    };
    const onData = (chunk) => {
      for (const pressed of presses(chunk)) dialog.press(pressed);
      draw();
    };
    process.stdin.setRawMode(true);
    process.stdin.setEncoding('utf8').on('data', onData);
    draw();
  });
}

function trust(cwd) {
  return {
    lines: [
      'Accessing workspace:',
      '',
      cwd,
      '',
      'Quick safety check: Is this a project you created or one you trust?',
      '',
      "Claude Code'll be able to read, edit, and execute files here.",
      '',
    ],
    options: ['No, exit', 'Yes, I trust this folder'],
    yes: 1,
    accepted() {
      const state = readJson(stateFile) ?? {};
      const dir = realpathSync(cwd);
      state.projects = { ...state.projects, [dir]: { ...state.projects?.[dir], hasTrustDialogAccepted: true } };
      writeJson(stateFile, state, 2);
    },
  };
}

function oneMoreFolder(dir) {
  const question = "This session hasn't worked here before. Is this a directory you created or one you trust?";
  return {
    lines: ['Adding a new directory:', '', dir, '', question, ''],
    options: ['No, exit', 'Yes, add it'],
    yes: 1,
  };
}

function apiKey() {
  const lines = ['Detected a custom API key in your environment', '', 'Do you want to use this API key?', ''];
  return { lines, options: ['No (recommended)', 'Yes'], yes: 1 };
}

function bypass() {
  const lines = ['WARNING: Claude Code running in Bypass Permissions mode', ''];
  return { lines, options: ['No, exit', 'Yes, I accept'], yes: 1 };
}
