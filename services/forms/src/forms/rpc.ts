/** Forms for whoever shows them inside a page (FormService). */
import { type RpcService, rpcService } from '@sevenfold/chassis/grpc/method';
import { anyone } from '@sevenfold/chassis/http/route';
import { FormServiceService, type FormServiceServer } from '@sevenfold/proto/gen/sevenfold/forms/v1/form';
import type { Deps } from '../deps';
import { errors } from '../errors';
import { unitTag } from '../tags/render';
import { renderedForm } from './render';
import * as store from './store';

export const formsRpc = (deps: Deps): RpcService =>
  rpcService<FormServiceServer>(FormServiceService, {
    renderForm: {
      callers: ['content', 'gateway'],
      permission: anyone,
      handle: async ({ id, query, containerId, position, returnUrl }, { actor }) => {
        const form = await store.findById(deps.db, id);
        if (!form) throw errors.notFound();
        const tag = unitTag(form.id, containerId, Math.max(1, position));
        const html = await renderedForm(deps, form, { unitTag: tag, containerId, returnUrl, query, actor });
        return { html, unitTag: tag, title: form.title, locale: form.locale };
      },
    },
  });
