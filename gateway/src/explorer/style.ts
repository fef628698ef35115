/**
 * What is ours of the looks of the explorer: the head of the page, colours that can be read where the package's cannot, and what
 * keeps it within a narrow phone (no answer of ours has links, so their column says nothing there).
 */
export const EXPLORER_STYLE = `:root{color-scheme:light}
body{margin:0;background:#fff;color:#1b1f24;font:1rem/1.6 system-ui,sans-serif}
.explorer-head,.explorer-state{max-width:1460px;margin:0 auto;padding:1rem 20px 0;box-sizing:border-box}
.explorer-head h1{margin:0;font-size:1.75rem;line-height:1.25}

.explorer-bar{padding-top:1rem}
a,.swagger-ui a,.swagger-ui .link{color:#0a4f9e}
:focus-visible{outline:3px solid #0a4f9e;outline-offset:2px}
.swagger-ui,.swagger-ui *:not(code,pre,code *,pre *,textarea){font-family:system-ui,sans-serif}
.swagger-ui .btn.authorize,.swagger-ui .btn.authorize span,.swagger-ui .auth-btn-wrapper .btn{color:#0a5c35;border-color:#0a5c35}
.swagger-ui .btn.cancel{color:#a3160c;border-color:#a3160c}
.swagger-ui .btn.authorize svg{fill:#0a5c35}
.swagger-ui .btn.execute{background:#0a4f9e;border-color:#0a4f9e;color:#fff}
.swagger-ui .opblock .opblock-summary-method{color:#fff;text-shadow:none}
.swagger-ui .opblock.opblock-get .opblock-summary-method{background:#0a4f9e}
.swagger-ui .opblock.opblock-post .opblock-summary-method{background:#0a5c35}
.swagger-ui .opblock.opblock-put .opblock-summary-method{background:#8a4b00}
.swagger-ui .opblock.opblock-patch .opblock-summary-method{background:#0d5f5f}
.swagger-ui .opblock.opblock-delete .opblock-summary-method{background:#a3160c}
.swagger-ui .opblock-summary-description,.swagger-ui .opblock-tag small,.swagger-ui .parameter__type,.swagger-ui .parameter__in,.swagger-ui .prop-format,.swagger-ui .tab li button.tablinks,.swagger-ui .response-control-media-type__accept-message,.swagger-ui .model,.swagger-ui .response-col_links,.swagger-ui .parameter__name.required:after,.swagger-ui .renderedMarkdown p,.swagger-ui .json-schema-2020-12__attribute,.swagger-ui .json-schema-2020-12-keyword__name,.swagger-ui .json-schema-2020-12-keyword__value{color:#1b1f24}
.swagger-ui .parameter__name.required span,.swagger-ui .parameter__name.required:after{color:#a3160c}
.swagger-ui .microlight,.swagger-ui .microlight *{background:#1b1f24!important;color:#f0f3f6!important}
.swagger-ui .download-contents,.swagger-ui .copy-to-clipboard{background:#1b1f24;color:#fff}
@media (max-width:640px){
.swagger-ui .wrapper{padding:0 8px}
.swagger-ui .opblock-tag{flex-wrap:wrap}
.swagger-ui .opblock-tag>a{min-width:0;overflow-wrap:anywhere}
.swagger-ui .response-col_description{width:auto;overflow-wrap:anywhere}
.swagger-ui .response-col_links{display:none}
}
`;
