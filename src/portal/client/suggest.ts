/// <reference lib="dom" />
/**
 * Suggestions while typing, for every input with `data-suggest`: the ARIA combobox pattern with a list
 * box. Plain enough for the browser once the types are stripped; without it the form works as it is.
 */

interface Suggestion {
  readonly text: string;
  readonly field: string;
  readonly count: number;
}

const WAIT_MS = 120;
let nextId = 1;

function enhance(input: HTMLInputElement): void {
  const list = document.createElement('ul');
  list.id = `suggestions-${nextId++}`;
  list.className = 'suggestions';
  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', 'Suggestions');
  list.hidden = true;
  input.parentElement?.append(list);
  input.setAttribute('role', 'combobox');
  input.setAttribute('aria-autocomplete', 'list');
  input.setAttribute('aria-expanded', 'false');
  input.setAttribute('aria-controls', list.id);

  let chosen = -1;
  let typed = '';
  let timer = 0;
  let asked = new AbortController();

  const close = () => {
    list.hidden = true;
    chosen = -1;
    input.setAttribute('aria-expanded', 'false');
    input.removeAttribute('aria-activedescendant');
  };

  const mark = (index: number) => {
    const options = [...list.children];
    options[chosen]?.setAttribute('aria-selected', 'false');
    chosen = index;
    const option = options[chosen];
    if (option) {
      option.setAttribute('aria-selected', 'true');
      option.scrollIntoView({ block: 'nearest' });
      input.setAttribute('aria-activedescendant', option.id);
      input.value = queryOf(option.getAttribute('data-text') ?? '');
    } else {
      input.removeAttribute('aria-activedescendant');
      input.value = typed;
    }
  };

  const show = (suggestions: readonly Suggestion[]) => {
    list.replaceChildren(
      ...suggestions.map((suggestion, index) => {
        const option = document.createElement('li');
        option.id = `${list.id}-${index}`;
        option.setAttribute('role', 'option');
        option.setAttribute('aria-selected', 'false');
        option.setAttribute('data-text', suggestion.text);
        const text = document.createElement('span');
        text.textContent = suggestion.text;
        const field = document.createElement('small');
        field.textContent = suggestion.field;
        option.append(text, field);
        return option;
      }),
    );
    chosen = -1;
    list.hidden = suggestions.length === 0;
    input.setAttribute('aria-expanded', String(suggestions.length > 0));
    input.removeAttribute('aria-activedescendant');
  };

  const ask = async () => {
    asked.abort();
    asked = new AbortController();
    const { signal } = asked;
    // Once there is syntax, suggestions of whole values no longer fit.
    if (typed.trim().length < 2 || /["():[\]*~]/.test(typed)) return close();
    try {
      const answer = await fetch(`/api/suggest?limit=8&q=${encodeURIComponent(typed.trim())}`, {
        signal,
        headers: { accept: 'application/json' },
      });
      if (!answer.ok) return close();
      const body = (await answer.json()) as { suggestions: Suggestion[] };
      if (document.activeElement === input) show(body.suggestions);
    } catch {
      // Offline: the form still works. Who asked again, or chooses already, keeps the list.
      if (!signal.aborted) close();
    }
  };

  /** Whoever chooses does not want another list under the finger. */
  const askNoMore = () => {
    window.clearTimeout(timer);
    asked.abort();
  };

  input.addEventListener('input', () => {
    typed = input.value;
    window.clearTimeout(timer);
    timer = window.setTimeout(() => void ask(), WAIT_MS);
  });
  input.addEventListener('keydown', (event) => {
    if (list.hidden || !['ArrowDown', 'ArrowUp', 'Escape'].includes(event.key)) return;
    askNoMore();
    const last = list.children.length - 1;
    if (event.key === 'ArrowDown') mark(chosen >= last ? -1 : chosen + 1);
    else if (event.key === 'ArrowUp') mark(chosen < 0 ? last : chosen - 1);
    else {
      input.value = typed;
      close();
    }
    event.preventDefault();
  });
  input.addEventListener('blur', close);
  // Before blur closes the list.
  list.addEventListener('pointerdown', (event) => {
    const option = event.target instanceof Element ? event.target.closest('[role=option]') : null;
    if (!option) return;
    event.preventDefault();
    input.value = queryOf(option.getAttribute('data-text') ?? '');
    close();
    input.form?.requestSubmit();
  });
}

/** A value of several words, or with signs in it, is asked as a phrase. */
function queryOf(text: string): string {
  return /^[\p{L}\p{N}]+$/u.test(text) ? text : `"${text.replace(/["\\]/g, ' ').trim()}"`;
}

for (const input of document.querySelectorAll('input[data-suggest]'))
  if (input instanceof HTMLInputElement) enhance(input);

export {};
