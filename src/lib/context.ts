import type { Policy } from './policy.ts';
import type { Environment, Places } from './store/places.ts';

/** What every act is given: the environment, where the fleet lives and what its owner wants. */
export interface Context {
  env: Environment;
  places: Places;
  policy: Policy;
  /** Looks leave no trace: no roster answer is shared with other commands. For a dry run, which changes nothing at all. */
  traceless?: true;
}
