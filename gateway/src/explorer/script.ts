/**
 * What starts Swagger UI on the page of the explorer: it reads the document, asks this origin alone, and sends nothing that a
 * browser remembers. What the package leaves without a name for assistive technology gets one.
 */
export const EXPLORER_SCRIPT = `(function () {
  'use strict';
  var place = document.getElementById('explorer');
  var site = location.origin + place.dataset.root;
  var LOG_IN = /\\/console\\/api\\/sessions(?:\\/refresh)?$/;
  var explorer;

  fetch(site + '/openapi.json', { credentials: 'omit' })
    .then(function (answer) {
      if (!answer.ok) throw new Error('it was answered with ' + answer.status);
      return answer.json();
    })
    .then(show)
    .catch(function (fault) {
      place.textContent = '';
      var line = document.createElement('p');
      line.className = 'explorer-state';
      line.setAttribute('role', 'alert');
      line.textContent = 'The document cannot be shown: ' + fault.message + '. Try again in a moment.';
      place.appendChild(line);
    });

  function show(described) {
    // By whatever name the page was reached, that is where requests go.
    described.servers = [{ url: site + '/rest' }];
    Object.values(described.paths).forEach(function (operations) {
      Object.values(operations).forEach(function (operation) {
        if (operation.servers) operation.servers = [{ url: site }];
      });
    });
    place.textContent = '';
    new MutationObserver(mend).observe(place, { childList: true, subtree: true });
    explorer = window.SwaggerUIBundle({
      spec: described,
      domNode: place,
      layout: 'ExplorerLayout',
      docExpansion: 'none',
      deepLinking: true,
      filter: true,
      tryItOutEnabled: true,
      defaultModelsExpandDepth: -1,
      persistAuthorization: false,
      validatorUrl: null,
      requestInterceptor: prepared,
      responseInterceptor: answered,
      plugins: [plugin]
    });
  }

  function prepared(request) {
    var url = new URL(request.url, location.href);
    if (url.origin !== location.origin) throw new Error('Only this site is asked.');
    request.credentials = 'omit';
    // A token that is over would be refused before the password, or the next token, is looked at.
    if (LOG_IN.test(url.pathname) && request.method === 'POST') delete request.headers.Authorization;
    return request;
  }

  // Whoever logs in here goes on with what was answered.
  function answered(answer) {
    if (!answer.ok || !LOG_IN.test(new URL(answer.url, location.href).pathname)) return answer;
    var token = answer.obj && answer.obj.access_token;
    if (!token) return answer;
    // The package lets nobody log out where nobody was shown.
    if (explorer.authSelectors.authorized().size) explorer.authActions.logout(['basic', 'bearer']);
    explorer.authActions.authorize({
      bearer: { name: 'bearer', schema: explorer.specSelectors.securityDefinitions().get('bearer'), value: token }
    });
    return answer;
  }

  // Of the package's parts those that this page needs: there is one server, and its head says the rest.
  function plugin(system) {
    var make = system.React.createElement;
    return {
      components: {
        ExplorerLayout: function (props) {
          function part(name, connected) {
            return make(props.getComponent(name, connected));
          }
          return make(
            'div',
            { className: 'swagger-ui' },
            part('SvgAssets'),
            part('errors', true),
            make('div', { className: 'wrapper explorer-bar' }, part('AuthorizeBtnContainer', true)),
            part('FilterContainer', true),
            make('div', { className: 'wrapper' }, part('operations', true))
          );
        }
      },
      wrapComponents: {
        // Inside of a button, where a link is none.
        DeepLink: function () {
          return function (props) {
            return make('span', null, props.text);
          };
        },
        // There is nothing to choose.
        OperationServers: function () {
          return function () {
            return null;
          };
        }
      }
    };
  }

  var NAMES = [
    ['.operation-filter-input', 'Filter by tag or path'],
    ['.close-modal', 'Close'],
    ['.body-param__text', 'Body of the request'],
    ['.examples-select-element', 'Example'],
    ['.content-type', 'Type of the content'],
    ['.parameters select, .parameters input, .parameters textarea', 'Value of the parameter']
  ];

  function mend() {
    NAMES.forEach(function (row) {
      all(row[0], function (control) {
        if (!control.labels || control.labels.length > 0 || control.hasAttribute('aria-label')) return;
        var cell = control.closest('tr[data-param-name]');
        control.setAttribute('aria-label', cell ? cell.dataset.paramName : row[1]);
      });
    });
    // What a button says is its name.
    all('.modal-ux .btn[aria-label]', function (button) {
      button.removeAttribute('aria-label');
    });
    // There is one for each operation: as landmarks they could not be told apart.
    all('table[role=region]', function (table) {
      table.removeAttribute('role');
    });
    // What can be scrolled is to be reached by keyboard, too.
    all('pre', function (block) {
      block.tabIndex = 0;
    });
    all('h3, h4, h5', function (heading) {
      heading.setAttribute('aria-level', Number(heading.tagName.slice(1)) - 1);
    });
    // Below an h4 in the package's window.
    all('.modal-ux h6', function (heading) {
      heading.setAttribute('aria-level', 4);
    });
    guard(place.querySelector('.modal-ux'));
  }

  // What opens the package's window. Where it stood goes on when the window is closed, however that is.
  var opener;
  place.addEventListener(
    'click',
    function (event) {
      var button = event.target.closest('.authorize, .authorization__btn');
      if (button && !button.closest('.modal-ux')) opener = button;
    },
    true
  );

  // The package only draws a window: the page behind it would be read and reached as before.
  function guard(modal) {
    if (!modal) {
      if (!document.querySelector('[inert]')) return;
      document.querySelectorAll('[inert]').forEach(function (part) {
        part.inert = false;
      });
      if (opener) opener.focus();
      return;
    }
    modal.setAttribute('role', 'dialog');
    modal.setAttribute('aria-modal', 'true');
    modal.setAttribute('aria-label', modal.querySelector('h3').textContent);
    modal.tabIndex = -1;
    for (var part = modal.closest('.dialog-ux'); part !== document.body; part = part.parentNode)
      Array.prototype.forEach.call(part.parentNode.children, function (other) {
        if (other !== part && other.tagName !== 'SCRIPT') other.inert = true;
      });
    // Its buttons come and go with what they do, and the focus with them.
    if (!modal.contains(document.activeElement)) modal.focus();
  }

  function all(selector, use) {
    place.querySelectorAll(selector).forEach(use);
  }
})();
`;
