// Colours of the page, light and dark: those of the report pages, which colour-blind readers can distinguish.
export interface Theme {
  dark: boolean; background: number; grid: number; link: number; joint: number; ghost: number; axes: [number, number, number];
  ink: number; accent: number; bad: number; series: string[]; fog: number; muted: number;
}

const light: Theme = {
  dark: false, background: 0xf4f6f8, grid: 0xd3d9e0, link: 0x8fa6bd, joint: 0xe0b04a, ghost: 0x2f8fe0, axes: [0xe8452c, 0x0f9d6e, 0x1a5fd0], ink: 0x18212b,
  accent: 0x1a3fb0, bad: 0xa11d2f, fog: 0xf4f6f8, muted: 0x5a6673,
  series: ['#1a3fb0', '#e8452c', '#0f766e', '#b67db8', '#6b6c12', '#2f8fe0', '#4a1a10', '#66529a']
};
const dark: Theme = {
  dark: true, background: 0x0f1318, grid: 0x2a323b, link: 0x7c93ab, joint: 0xd3a548, ghost: 0x4f8dff, axes: [0xff7a5c, 0x2fdc9a, 0x6aa5ff], ink: 0xe4e8ec,
  accent: 0x7ea8ff, bad: 0xff8d97, fog: 0x0f1318, muted: 0x9aa6b2,
  series: ['#4f8dff', '#ee8636', '#2fdc9a', '#c06ab8', '#f5da45', '#b8dfee', '#ee4a5c', '#a8929c']
};
export const theme = (isDark: boolean): Theme => isDark ? dark : light;

const stops = [[59, 108, 181], [244, 214, 92], [208, 52, 32]] as const;
/** Blue, yellow, vermilion from 0 to the limit: distinguished by their lightness, too. */
export const shareColour = (share: number): number => {
  const x = Math.round(Math.min(1, Math.max(0, share)) * 200) / 100, k = Math.min(1, Math.floor(x)), f = x - k;
  return stops[k]!.reduce((sum, c, i) => sum * 256 + Math.round(c + f * (stops[k + 1]![i]! - c)), 0);
};
export const css = (colour: number): string => '#' + colour.toString(16).padStart(6, '0');

/** From blue over nothing to vermilion, for entries of a matrix; x from -1 to 1. */
export const signedColour = (x: number, isDark: boolean): string => {
  const a = Math.min(1, Math.abs(x)) ** 0.6;
  return `color-mix(in oklab, ${x < 0 ? '#2f8fe0' : '#e8682c'} ${Math.round(100 * a)}%, ${isDark ? '#161b21' : '#ffffff'})`;
};
