// A panel: a tab at the right of the picture.
import type {App} from '../app';

export interface Panel {
  name: string;
  title: string;
  of: 'robot' | 'mechanism' | 'both';
  /** Its content, made when it is shown; what it returns is called with every change while it is. */
  make(app: App, into: HTMLElement): (what: 'state' | 'settings' | 'solutions' | 'motion' | 'time' | 'theme' | 'catalogue') => void;
}
