// Questions that want an answer before they give one: <div class="quiz" data-quiz="NAME"> with .question in it
// (book/questions.py). Answers and score stay in this browser.
(function () {
  "use strict";
  const { make } = window.parts;
  // Each answer has a key of its own: two pages that are open at once change no key of each other.
  const key_of = (name) => `warp-by-warp.answer.${name}`;

  function kept(name) {
    try { return JSON.parse(localStorage.getItem(key_of(name))); } catch { return null; } // a browser may keep nothing
  }
  function keep(name, answer) {
    try {
      if (answer === null) localStorage.removeItem(key_of(name));
      else localStorage.setItem(key_of(name), JSON.stringify(answer));
    } catch { /* then only this page knows */ }
  }

  // "1,048,576", "1 048 576", "1.5", "1,5", "2^20" and "32 * 256" are numbers, "many" is none. A comma with three digits behind it
  // separates thousands; any other comma is a decimal one.
  function number_of(text) {
    const plain = text.replace(/[\s_'’]/g, "").replaceAll("**", "^");
    const factors = plain.split(/[*×·]/);
    if (factors.length > 1) return factors.reduce((product, factor) => product * number_of(factor), 1);
    const power = plain.match(/^(\d+)\^(\d+)$/);
    if (power) return Number(power[1]) ** Number(power[2]);
    if (/^-?\d{1,3}(,\d{3})+(\.\d+)?$/.test(plain)) return Number(plain.replace(/,/g, ""));
    return plain === "" ? NaN : Number(plain.replace(/^(-?\d*),(\d+)$/, "$1.$2"));
  }

  const shown = (number) => number.toLocaleString("en", { maximumFractionDigits: 6 });
  const CLOSE = 0.01; // a part of the answer: who is nearer has understood what is counted

  // What is said behind "Right." or "Not so."
  function compare(given, answer, is_right) {
    if (given === answer) return "Exactly.";
    if (is_right) return `You said ${shown(given)}, the exact number is ${shown(answer)}.`;
    if (given === 0 || answer === 0) return "";
    const ratio = given / answer;
    if (ratio > 0.5 && ratio < 2) return `You said ${shown(given)}, the answer is ${shown(answer)}.`;
    return ratio > 1 ? `Yours is ${ratio.toLocaleString("en", { maximumSignificantDigits: 3 })} times as much.` :
      `The answer is ${(1 / ratio).toLocaleString("en", { maximumSignificantDigits: 3 })} times as much.`;
  }

  class Question {
    constructor(box, name, changed) {
      Object.assign(this, { box, name, changed, given: null });
      const fold = box.querySelector("details"), options = box.querySelector("ol");
      this.answer = make("div", { class: "answer", hidden: "" }, [...fold.querySelectorAll("p")]);
      this.verdict = make("p", { class: "verdict", role: "status" });
      this.commit = make("button", { type: "submit" }, "Commit");
      this.again = make("button", { type: "button", hidden: "", onclick: () => this.reset() }, "Try again");
      this.is_choice = box.dataset.right !== undefined;
      this.fields = this.is_choice ? this.options(options) : this.number();
      const ask = box.querySelector("p").textContent;
      this.form = make("form", { "aria-label": ask, novalidate: "" }, [
        ...(this.is_choice ? [make("fieldset", {}, [make("legend", { class: "unseen" }, ask), ...this.fields.map(({ label }) => label)])] :
          this.fields.map(({ label }) => label)), this.commit, this.again]);
      this.form.addEventListener("submit", (event) => { event.preventDefault(); this.submit(); });
      if (options) options.remove();
      fold.replaceWith(this.form, this.verdict, this.answer);
      const before = kept(name);
      if (before !== null) this.reveal(before);
    }

    options(list) {
      return [...list.children].map((item, k) => {
        const field = make("input", { type: "radio", name: this.name, value: k });
        return { field, label: make("label", { class: "option" }, [field, " ", ...item.childNodes]) };
      });
    }

    number() {
      const field = make("input", { type: "text", inputmode: "decimal", autocomplete: "off", size: 12 });
      return [{ field, label: make("label", {}, ["Your number ", field]) }];
    }

    submit() {
      const chosen = this.fields.findIndex(({ field }) => field.checked);
      const given = this.is_choice ? chosen : number_of(this.fields[0].field.value);
      if (Number.isNaN(given) || given === -1) {
        this.verdict.textContent = this.is_choice ? "Choose one of them first." : "A number, please; digits will do.";
        return;
      }
      keep(this.name, given);
      this.reveal(given);
      this.changed();
    }

    reveal(given) {
      this.given = given;
      this.fields.forEach(({ field }, k) => {
        field.disabled = true;
        if (this.is_choice) field.checked = k === given;
        else field.value = shown(given);
      });
      const said = this.is_choice ? "" : compare(given, Number(this.box.dataset.answer), this.is_right());
      this.verdict.textContent = `${this.is_right() ? "Right." : "Not so."} ${said}`.trim();
      this.verdict.className = `verdict ${this.is_right() ? "right" : "wrong"}`;
      this.answer.hidden = this.commit.hidden = true;
      this.answer.hidden = this.again.hidden = false;
    }

    reset() {
      this.given = null;
      keep(this.name, null);
      this.fields.forEach(({ field }) => {
        field.disabled = field.checked = false;
        if (!this.is_choice) field.value = "";
      });
      this.verdict.textContent = "";
      this.verdict.className = "verdict";
      this.answer.hidden = this.again.hidden = true;
      this.commit.hidden = false;
      this.fields[0].field.focus();
      this.changed();
    }

    is_right() {
      if (this.is_choice) return this.given === Number(this.box.dataset.right);
      const answer = Number(this.box.dataset.answer), within = Math.max(Number(this.box.dataset.within), CLOSE);
      return Math.abs(this.given - answer) <= within * Math.abs(answer);
    }
  }

  document.querySelectorAll(".quiz[data-quiz]").forEach((box) => {
    const score = make("p", { class: "score", role: "status" });
    const questions = [];
    const changed = () => {
      const answered = questions.filter(({ given }) => given !== null), right = answered.filter((question) => question.is_right());
      score.textContent = `${right.length} of ${questions.length} right, ${answered.length} answered.`;
    };
    box.querySelectorAll(".question").forEach((question, k) => questions.push(new Question(question, `${box.dataset.quiz}.${k}`, changed)));
    if (questions.length > 1) box.append(score);
    changed();
    box.addEventListener("keydown", (event) => event.stopPropagation()); // mdBook turns pages and searches
  });
})();
// SPDX-License-Identifier: MIT
