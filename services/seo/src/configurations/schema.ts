/** What the configurator answers and takes. The interface lists no arguments, so its fields are none. */
import * as shape from '@sevenfold/chassis/http/shapes';

const field = shape.object(
  {
    componentName: shape.described('How clients show it.', shape.text),
    properties: shape.described('What that takes to be shown.', shape.anyObject),
    requires: shape.described(
      'Shown only where another field has this value.',
      shape.object({
        field: shape.described('Name of the other field.', shape.text),
        value: shape.described('The value that it must have.', shape.text),
      }),
    ),
    data: shape.described('The answer as it stands.', shape.text),
  },
  'requires',
  'data',
);

const step = shape.object(
  {
    title: shape.described('Heading of the step.', shape.text),
    fields: shape.described('Names of the fields that it asks for.', shape.listOf(shape.text)),
    hideNavigation: shape.described('Whether the way back and forth is hidden.', shape.flag),
    fullWidth: shape.described('Whether it takes the whole width.', shape.flag),
  },
  'hideNavigation',
  'fullWidth',
);

export const configurationAnswer = shape.object({
  fields: shape.described('What is asked, by name.', shape.mapOf(field)),
  steps: shape.described('The steps in their order, by name.', shape.mapOf(step)),
  translations: shape.described('Words of the form in the language of the site.', shape.anyObject),
});

export const sentAnswers = shape.described('Answers by the names of their fields.', shape.anyObject);

/** An empty list where no field was known. */
export const savedAnswer = shape.either(
  shape.mapOf(
    shape.object({
      result: shape.described('Whether the answer was taken.', shape.flag),
      data: shape.described('The answer as it stands now.', shape.text),
    }),
  ),
  shape.emptyList,
);
