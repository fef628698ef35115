/**
 * The script that any page can include: it puts the form in its own place, sends it without leaving the page, and says what
 * came of it where assistive technology hears it. The form works by its markup alone; the script only saves the way to another
 * page. It depends on nothing and leaves nothing behind but one counter.
 */
export const EMBED_SCRIPT = `(function () {
  'use strict';
  var script = document.currentScript;
  if (!script) return;
  var source = new URL('form.json', script.src);
  var count = (window.sevenfoldForms = (window.sevenfoldForms || 0) + 1);
  source.search = location.search;
  source.searchParams.set('_position', String(count));
  var place = document.createElement('div');
  script.parentNode.insertBefore(place, script.nextSibling);
  place.setAttribute('aria-busy', 'true');

  fetch(source, { credentials: 'omit' })
    .then(function (response) {
      if (!response.ok) throw new Error(String(response.status));
      return response.json();
    })
    .then(function (answer) {
      place.removeAttribute('aria-busy');
      place.innerHTML = answer.html;
      var form = place.querySelector('form');
      if (form) attach(form);
    })
    .catch(function () {
      place.removeAttribute('aria-busy');
      var link = document.createElement('a');
      link.href = new URL('page', script.src).href;
      link.textContent = 'Open the form';
      place.appendChild(link);
    });

  function attach(form) {
    var output = form.querySelector('.contact-form-response-output');
    var busy = false;
    var fill = {};
    form.noValidate = true;
    form.addEventListener('input', function () {
      tally(form);
    });
    form.addEventListener('change', function (event) {
      only(form, event.target);
    });
    form.addEventListener('submit', function (event) {
      event.preventDefault();
      if (busy) return;
      busy = true;
      form.setAttribute('aria-busy', 'true');
      var data = new FormData(form);
      var text = textOf(data);
      // The same again, as after an answer that was lost, is the same submission.
      if (text !== fill.text) fill = { text: text, key: newKey() };
      // A field may be called action, or reset: the form's own is meant.
      fetch(form.getAttribute('action'), {
        method: 'POST',
        body: data,
        headers: { Accept: 'application/json', 'Idempotency-Key': fill.key },
        credentials: 'omit'
      })
        .then(function (response) {
          return response.json();
        })
        .catch(function () {
          return {};
        })
        .then(function (answer) {
          busy = false;
          form.removeAttribute('aria-busy');
          if (answer.status === 'mail_sent' || answer.code === 'contact_form_key_reused') fill = {};
          show(form, output, answer);
        });
    });
  }

  // Without the answers to questions, which are others each time.
  function textOf(data) {
    var asked = Object.create(null);
    var sent = [];
    data.forEach(function (_, name) {
      var field = /^_contact_form_(?:quiz_answer|captcha_challenge)_(.*)/.exec(name);
      if (field) asked[name] = asked[field[1]] = true;
    });
    data.forEach(function (value, name) {
      // An empty file, which no file is, was changed just now.
      if (!asked[name]) sent.push([name, value.name ? [value.name, value.size, value.lastModified] : String(value)]);
    });
    return JSON.stringify(sent);
  }

  // Pages without TLS have no randomUUID.
  function newKey() {
    return crypto.getRandomValues(new Uint32Array(4)).join('-');
  }

  function show(form, output, answer) {
    var invalid = answer.invalid_fields || [];
    var sent = answer.status === 'mail_sent';
    clear(form);
    invalid.forEach(function (fault) {
      tips(form, fault.field).forEach(function (tip) {
        tip.textContent = fault.message;
      });
      controls(form, fault.field).forEach(function (control) {
        control.setAttribute('aria-invalid', 'true');
        control.classList.add('contact-form-not-valid');
      });
    });
    form.setAttribute('data-status', answer.status || 'error');
    if (sent) HTMLFormElement.prototype.reset.call(form);
    ask(form, answer.quiz, '_contact_form_quiz_answer_');
    ask(form, answer.captcha, '_contact_form_captcha_challenge_');
    tally(form);
    if (output) {
      output.setAttribute('role', sent ? 'status' : 'alert');
      output.textContent = answer.message || 'The form could not be sent. Please try again.';
    }
    var first = invalid.length > 0 && controls(form, invalid[0].field)[0];
    if (first) first.focus();
    form.dispatchEvent(new CustomEvent('contact-form', { bubbles: true, detail: answer }));
  }

  function clear(form) {
    form.querySelectorAll('.contact-form-not-valid-tip').forEach(function (tip) {
      tip.textContent = '';
    });
    form.querySelectorAll('[aria-invalid="true"]').forEach(function (control) {
      control.setAttribute('aria-invalid', 'false');
      control.classList.remove('contact-form-not-valid');
    });
  }

  // By its place in this form: the answer's ids are those of the unit tag, which may be a cached page's, or another copy's.
  function tips(form, field) {
    return Array.prototype.filter.call(form.querySelectorAll('.contact-form-not-valid-tip'), function (tip) {
      return tip.parentNode.dataset.name === field;
    });
  }

  function controls(form, field) {
    return inputs(form).filter(function (control) {
      return control.type !== 'hidden' && (control.name === field || control.name === field + '[]');
    });
  }

  // A field may be called elements.
  function inputs(form) {
    return Array.prototype.slice.call(form.querySelectorAll('input, select, textarea'));
  }

  // Of boxes of which one may be ticked, the one that was ticked last.
  function only(form, box) {
    if (!box.checked || !box.closest('.contact-form-exclusive-checkbox')) return;
    controls(form, box.name).forEach(function (other) {
      if (other !== box) other.checked = false;
    });
  }

  // How many characters there are, or how many still fit, as the form counts them where it is made.
  function tally(form) {
    form.querySelectorAll('.contact-form-character-count').forEach(function (place) {
      var told = place.dataset;
      var control = controls(form, told.targetName)[0];
      if (!control) return;
      var length = Array.from(control.value).length;
      var left = Math.max(0, Number(told.startingValue) - length);
      told.currentValue = place.textContent = String(place.classList.contains('down') ? left : length);
    });
  }

  // Each answer brings fresh questions; that of a captcha stands elsewhere, and names its control.
  function ask(form, questions, prefix) {
    Object.keys(questions || {}).forEach(function (field) {
      inputs(form).forEach(function (token) {
        if (token.name === prefix + field) token.value = questions[field][1];
      });
      controls(form, field).forEach(function (control) {
        control.value = '';
        var text = document.getElementById(control.getAttribute('aria-labelledby') || control.id + '-question');
        if (text) text.textContent = questions[field][0];
      });
    });
  }
})();
`;
