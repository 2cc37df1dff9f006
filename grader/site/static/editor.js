// @ts-check

/* The editor: CodeMirror, with Python for programs, a file at a time, each with its own history of changes. */

import {
  EditorState, EditorView, HighlightStyle, bracketMatching, closeBrackets, closeBracketsKeymap, defaultKeymap, drawSelection,
  highlightActiveLine, highlightActiveLineGutter, highlightSelectionMatches, highlightSpecialChars, history, historyKeymap,
  indentOnInput, indentUnit, indentWithTab, keymap, lineNumbers, lintGutter, nextDiagnostic, python, search, searchKeymap,
  setDiagnostics, syntaxHighlighting, tags,
} from "./libraries.js";

const COLOURS = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword, tags.definitionKeyword, tags.moduleKeyword], class: "t-keyword" },
  { tag: [tags.comment, tags.lineComment], class: "t-comment" },
  { tag: [tags.string, tags.docString], class: "t-string" },
  { tag: [tags.number, tags.bool, tags.null], class: "t-number" },
  { tag: [tags.function(tags.definition(tags.variableName)), tags.definition(tags.className)], class: "t-name" },
  { tag: tags.meta, class: "t-meta" },
]);

export class Editor {
  /**
   * Make an editor in an element.
   *
   * @param handlers `onType(name, text)`, `onRun()`: Ctrl-Enter.
   */
  constructor(parent, { onType, onRun }) {
    this.onType = onType;
    this.left = new Map(); // by file that is not shown: its state, and where it was scrolled to
    this.marks = [];
    this.name = null;
    this.extensions = [
      lineNumbers(), lintGutter(), highlightSpecialChars(), history(), drawSelection(), indentOnInput(), bracketMatching(),
      closeBrackets(), highlightActiveLine(), highlightActiveLineGutter(), highlightSelectionMatches(), search({ top: true }),
      EditorView.lineWrapping, syntaxHighlighting(COLOURS), indentUnit.of("    "), EditorState.tabSize.of(4),
      keymap.of([
        { key: "Mod-Enter", run: () => (onRun(), true) },
        { key: "Enter", run: leaveBlock },
        ...closeBracketsKeymap, ...defaultKeymap.filter(({ key }) => key !== "Mod-Enter"), ...searchKeymap, ...historyKeymap,
        { key: "F8", run: nextDiagnostic }, indentWithTab,
      ]),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) this.onType(this.name, update.state.doc.toString());
      }),
    ];
    this.view = new EditorView({ parent });
    new ResizeObserver(() => this._keepInView()).observe(parent);
  }

  /** Show a file. Its text is taken only when the file is shown for the first time. */
  show(name, text) {
    if (this.name !== null) this.left.set(this.name, { state: this.view.state, scroll: this.view.scrollSnapshot() });
    this.name = name;
    const { state, scroll } = this.left.get(name) ?? { state: this._state(name, text), scroll: EditorView.scrollIntoView(0, { yMargin: 20 }) };
    this.view.setState(state);
    this.view.dispatch({ effects: scroll });
    this._showMarks();
  }

  /** Put another text into a file, as one change that can be undone. */
  replace(name, text) {
    if (name === this.name) {
      if (this.view.state.doc.toString() === text) return;
      this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text } });
    } else {
      this.left.delete(name);
    }
  }

  /** Mark lines of files: [{file, line, text, isCalm}]. */
  mark(marks) {
    this.marks = marks;
    this._showMarks();
  }

  /** Put the cursor on a line of the file that is shown. */
  goTo(line) {
    const { from } = this.view.state.doc.line(this._within(line));
    this.view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
    this.view.focus();
  }

  /** Keep the line of the cursor in view when results take room. */
  _keepInView() {
    this.view.dispatch({ effects: EditorView.scrollIntoView(this.view.state.selection.main.head, { yMargin: 20 }) });
  }

  _state(name, text) {
    const label = EditorView.contentAttributes.of({ tabindex: "0", "aria-label": `${name}, the editor: Esc, then Tab leaves it` });
    const language = name.endsWith(".py") ? python() : []; // examples.yaml is indented as it is typed
    return EditorState.create({ doc: text, extensions: [this.extensions, language, label] });
  }

  _within(line) {
    return Math.max(1, Math.min(line, this.view.state.doc.lines));
  }

  _showMarks() {
    const here = this.marks.filter(({ file }) => file === this.name);
    const found = here.map(({ line, text, isCalm }) => {
      const { from, to, text: code } = this.view.state.doc.line(this._within(line));
      return { from: from + code.search(/\S|$/), to, severity: isCalm ? "info" : "error", message: text };
    });
    this.view.dispatch(setDiagnostics(this.view.state, found));
  }
}

/** Begin a new line, a step to the left, at the end of a line after which its block has ended; return whether it is one. */
function leaveBlock(view) {
  const { state } = view;
  const { head, empty } = state.selection.main;
  const line = state.doc.lineAt(head);
  const [, indent] = /^ {4}( *)(?:return|raise|break|continue|pass)\b(?:.*[^\s([{,\\])?\s*$/.exec(line.text) ?? [];
  if (!empty || head !== line.to || indent === undefined) return false;
  view.dispatch(state.update(state.replaceSelection(`\n${indent}`), { scrollIntoView: true, userEvent: "input" }));
  return true;
}
