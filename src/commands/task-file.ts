import { main } from '../lib/cli/main.ts';
import { spec } from '../specs/task-file.ts';

/** Runs task-file on `words` and returns its exit code. */
export const run = (words: readonly string[]): Promise<number> => {
  const change = () => import('../actions/task-change.ts');
  const read = () => import('../actions/task-read.ts');
  return main(
    spec,
    {
      new: async () => (await change()).newTask,
      set: async () => (await change()).setFields,
      park: async () => (await change()).park,
      unpark: async () => (await change()).unpark,
      finish: async () => (await change()).finish,
      show: async () => (await read()).show,
      list: async () => (await read()).list,
      validate: async () => (await read()).validate,
      path: async () => (await read()).path,
    },
    words,
  );
};
