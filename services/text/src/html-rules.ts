/*
 * What each kind of HTML may hold: tags with their attributes, schemes of addresses, properties of styles. Allow lists, as data.
 */

/** Tag name → names of the attributes it may carry. */
type TagList = Map<string, Set<string>>;

export interface Rules {
  tags: TagList;
  /** Attributes allowed on every tag besides its own. */
  anyAttribute: (name: string) => boolean;
  schemes: Set<string>;
  keepDelimiters: boolean;
  /** Whether tags are closed and stray closing tags dropped, so that text cannot break the page around it. */
  balance: boolean;
}

const RICH_TAGS = tagList({
  'a area': 'href rel rev target download name alt coords shape nohref',
  'abbr acronym address article aside b bdi bdo big center cite code dd dfn dl dt em footer header': '',
  'hgroup i kbd main mark menu nav picture rb rp rt rtc ruby s samp section small strike strong': '',
  'sub summary sup tt u var wbr': '',
  'audio video':
    'src poster controls width height autoplay loop muted playsinline preload controlslist crossorigin',
  'blockquote q': 'cite',
  br: 'clear',
  'caption div figcaption figure h1 h2 h3 h4 h5 h6 p span': 'align',
  'col colgroup': 'span width align valign char charoff',
  'del ins': 'cite datetime',
  details: 'open',
  'fieldset legend': '',
  font: 'color face size',
  hr: 'align noshade size width',
  img: 'src srcset sizes alt width height align border hspace vspace usemap longdesc loading decoding fetchpriority',
  label: 'for',
  li: 'value type align',
  map: 'name',
  ol: 'start type reversed',
  pre: 'width',
  source: 'src srcset sizes type media',
  table: 'align bgcolor border cellpadding cellspacing rules frame summary width',
  'tbody tfoot thead': 'align valign char charoff',
  'td th': 'abbr align axis bgcolor char charoff colspan headers height nowrap rowspan scope valign width',
  time: 'datetime',
  tr: 'align bgcolor valign char charoff',
  track: 'src srclang kind label default',
  ul: 'type',
});

const INLINE_TAGS = tagList({
  a: 'href title',
  'abbr acronym': 'title',
  'blockquote q': 'cite',
  'b cite code em i s strike strong': '',
  del: 'datetime',
});

const TITLE_TAGS = tagList({
  a: 'href title',
  'abbr acronym': 'title',
  'b bdi big cite code dfn em i kbd mark s samp small strike strong sub sup tt u var wbr': '',
  del: 'datetime',
  ins: 'datetime',
  q: 'cite',
  span: 'class lang dir',
});

// Their tags go, their content stays to be seen as the text it is.
export const CODE_TAGS = new Set(['script', 'style']);

export const URL_ATTRIBUTES = new Set(['href', 'src', 'cite', 'poster', 'longdesc', 'usemap']);

const RICH_SCHEMES = new Set(
  'http https ftp ftps mailto tel sms fax webcal xmpp irc ircs news feed'.split(' '),
);
const INLINE_SCHEMES = new Set(['http', 'https', 'mailto']);

const GLOBAL_ATTRIBUTES = new Set([
  'class',
  'id',
  'title',
  'style',
  'lang',
  'xml:lang',
  'dir',
  'role',
  'hidden',
]);

export const RICH: Rules = {
  tags: RICH_TAGS,
  anyAttribute: (name) => GLOBAL_ATTRIBUTES.has(name) || /^(?:aria|data)-[a-z\d_-]+$/.test(name),
  schemes: RICH_SCHEMES,
  keepDelimiters: true,
  balance: false,
};

export const INLINE: Rules = {
  tags: INLINE_TAGS,
  anyAttribute: () => false,
  schemes: INLINE_SCHEMES,
  keepDelimiters: false,
  balance: true,
};

export const FORM: Rules = { ...RICH, keepDelimiters: false, balance: true };

export const TITLE: Rules = { ...INLINE, tags: TITLE_TAGS };

// Position, z-index and the like are missing on purpose: with them an article can cover the page around it.
export const STYLE_PROPERTIES = new Set(
  (
    'align-content align-items align-self background background-color background-image background-position ' +
    'background-repeat background-size border border-bottom border-bottom-color border-bottom-left-radius ' +
    'border-bottom-right-radius ' +
    'border-bottom-style border-bottom-width border-collapse border-color border-left border-left-color ' +
    'border-left-style border-left-width border-radius border-right border-right-color border-right-style ' +
    'border-right-width border-spacing border-style border-top border-top-color border-top-style ' +
    'border-top-left-radius border-top-right-radius border-top-width border-width caption-side clear color column-count column-gap columns direction display ' +
    'flex flex-basis flex-direction flex-flow flex-grow flex-shrink flex-wrap float font font-family font-size ' +
    'font-style font-variant font-weight gap grid-column grid-row grid-template-columns grid-template-rows ' +
    'height justify-content justify-items justify-self letter-spacing line-height list-style list-style-type ' +
    'margin margin-bottom margin-left margin-right margin-top max-height max-width min-height min-width ' +
    'object-fit object-position opacity overflow padding padding-bottom padding-left padding-right padding-top row-gap ' +
    'text-align text-decoration text-indent text-transform vertical-align white-space width word-spacing ' +
    'writing-mode'
  ).split(' '),
);
export const STYLE_FUNCTIONS = /\b(?:rgba?|hsla?|calc|min|max|clamp|var|repeat|minmax)\([\w\s.,%#+*/-]*\)/gi;
// Of colours only, whose own functions are gone by then; addresses stay out.
export const STYLE_GRADIENTS = /\b(?:repeating-)?(?:linear|radial|conic)-gradient\([\w\s.,%#+*/-]*\)/gi;
export const STYLE_VALUE = /^[\w\s.,%#+\-/'"!]+$/;

function tagList(rows: Record<string, string>): TagList {
  const list: TagList = new Map();
  for (const [tags, attributes] of Object.entries(rows)) {
    for (const tag of tags.split(' ')) list.set(tag, new Set(attributes.split(' ').filter(Boolean)));
  }
  return list;
}
