// The theme: VitePress's own without its fonts, with the ranking of the search and the live parts of pages.
import { useRoute } from 'vitepress';
import Theme from 'vitepress/theme-without-fonts';
import { nextTick, onMounted, watch } from 'vue';
import { SEARCH_OPTIONS } from '../../search-index.js';
import './site.css';
import './live.css';

/** The live parts of pages, by the value of data-live; each is loaded by the pages that have it. */
const PARTS = {
  game: async (box) => (await import('./game.js')).makeGame(box),
  steadiness: async (box) => (await import('./steadiness.js')).makeSteadiness(box),
};

/** Brings the live parts of the shown page to life. */
async function wake() {
  for (const box of document.querySelectorAll('.vp-doc .live')) {
    const { makeLive } = await import('./live-code.js');
    makeLive(box);
  }
  for (const box of document.querySelectorAll('.vp-doc [data-live]:empty')) await PARTS[box.dataset.live]?.(box);
}

export default {
  extends: Theme,
  setup() {
    const route = useRoute();
    onMounted(wake);
    watch(() => route.path, () => nextTick(wake)); // prettier-ignore
  },
  enhanceApp({ siteData }) {
    // Set here, because VitePress would write functions of its settings into the page as text, which the policy forbids.
    siteData.value.themeConfig.search.options.miniSearch = { searchOptions: SEARCH_OPTIONS };
  },
};
