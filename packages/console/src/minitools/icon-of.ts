/**
 * What a container's icon is drawn as. Packages name icons of other hosts, too: what is not known here has a usual one.
 *
 * CI1 Nothing is fetched for an icon from anywhere: it is one of the page's own, a sign, or a picture that came with the manifest.
 */
export type ShownIcon =
  /** In the colours that it has. */
  | { readonly kind: 'picture'; readonly address: string }
  /** In the colour of the text around it. */
  | { readonly kind: 'shape'; readonly address: string }
  | { readonly kind: 'sign'; readonly text: string }
  | { readonly kind: 'named'; readonly name: string };

const picture = /^data:image\/(?:svg\+xml|png|jpeg|gif|webp)[;,][^"\\\s]*$/;
const inTextColour = /currentcolor/i;

/** One sign as people see it, an emoji for one; letters of names are none. */
const isSign = (icon: string): boolean => !/^[\x20-\x7e]*$/.test(icon) && [...new Intl.Segmenter().segment(icon)].length === 1;

/** `InboxIcon`, `inbox` and `lucide:inbox` are one. */
const nameOf = (icon: string): string =>
  icon
    .replace(/^[a-z]+:/, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replace(/-icon$/, '');

export const iconOf = (icon: string): ShownIcon => {
  if (picture.test(icon)) return { kind: inTextColour.test(icon) ? 'shape' : 'picture', address: icon };
  return isSign(icon) ? { kind: 'sign', text: icon } : { kind: 'named', name: nameOf(icon) };
};
