// Generated from the OpenAPI document by `npm run client`; not to be edited.
export interface paths {
    "/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The site and all of its routes
         * @description What the site is called, and which routes its interface has with which arguments. Everybody may ask.
         */
        get: operations["get_index"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oembed/1.0": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The routes of oembed/1.0
         * @description Which routes the namespace has, and which arguments they take. Everybody may ask.
         */
        get: operations["get_index_of_oembed_1_0"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/calendar/events/v1": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The routes of calendar/events/v1
         * @description Which routes the namespace has, and which arguments they take. Everybody may ask.
         */
        get: operations["get_index_of_calendar_events_v1"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/calendar/event-aggregator/v1": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The routes of calendar/event-aggregator/v1
         * @description Which routes the namespace has, and which arguments they take. Everybody may ask.
         */
        get: operations["get_index_of_calendar_event_aggregator_v1"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contact-form/v1": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The routes of contact-form/v1
         * @description Which routes the namespace has, and which arguments they take. Everybody may ask.
         */
        get: operations["get_index_of_contact_form_v1"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/spamfilter/v1": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The routes of spamfilter/v1
         * @description Which routes the namespace has, and which arguments they take. Everybody may ask.
         */
        get: operations["get_index_of_spamfilter_v1"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/seo/v1": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The routes of seo/v1
         * @description Which routes the namespace has, and which arguments they take. Everybody may ask.
         */
        get: operations["get_index_of_seo_v1"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/core/v2": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The routes of core/v2
         * @description Which routes the namespace has, and which arguments they take. Everybody may ask.
         */
        get: operations["get_index_of_core_v2"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oembed/1.0/embed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * oEmbed data of a page of this site
         * @description What other sites need to embed a page of this one, as JSON, or as XML with `format=xml`. An address of no public page is 404. Everybody may ask.
         */
        get: operations["get_oembed_1_0_embed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oembed/1.0/proxy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * oEmbed data of a resource anywhere
         * @description Asks the provider of an address for what it takes to embed it, and cleans what it answers. Private and local addresses are not asked. For users with the right `edit_posts`.
         */
        get: operations["get_oembed_1_0_proxy"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/calendar/events/v1/doc": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Describe the calendar routes
         * @description All routes of this namespace as a Swagger 2.0 document, for tools that know nothing newer. Everybody may ask.
         */
        get: operations["get_calendar_events_v1_doc"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/calendar/events/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events
         * @description A page of events with their venues and organizers, in the order of their start: those that are to come, unless `start_date` and `end_date` name another window. The addresses of the next and the previous page are in the answer. Everybody may ask.
         */
        get: operations["get_calendar_events_v1_events"];
        put?: never;
        /**
         * Create an event
         * @description Creates an event, published where the caller may publish, else a draft, unless `status` says otherwise. Venue and organizers are numbers of known ones, or data of new ones, which are created with it; categories and tags are numbers or names, and unknown names are created. For users with the right `edit_events`.
         */
        post: operations["post_calendar_events_v1_events"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/calendar/events/v1/events/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an event by id
         * @description Answers an event with its venue, its organizers, its terms and, here only, structured data (`json_ld`). Strangers may ask; what they may not see is 401.
         */
        get: operations["get_calendar_events_v1_events_id"];
        put?: never;
        post?: never;
        /**
         * Move an event to the trash by id
         * @description Moves an event to the trash and answers it. One that is there already is 410; nothing is deleted for good here. For users with the right `delete_events`; whose it is, and what is asked for, may take more or less.
         */
        delete: operations["delete_calendar_events_v1_events_id"];
        options?: never;
        head?: never;
        /**
         * Change an event by id
         * @description Changes fields of an event. Lists of terms and organizers take the place of what was there; venues and organizers that are sent as data are created. What is not sent stays as it is; POST, PUT, PATCH mean the same. For users with the right `edit_events`; whose it is, and what is asked for, may take more or less.
         */
        patch: operations["patch_calendar_events_v1_events_id"];
        trace?: never;
    };
    "/calendar/events/v1/events/by-slug/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an event by slug
         * @description Answers an event with its venue, its organizers, its terms and, here only, structured data (`json_ld`). Strangers may ask; what they may not see is 401.
         */
        get: operations["get_calendar_events_v1_events_by_slug_slug"];
        put?: never;
        post?: never;
        /**
         * Move an event to the trash by slug
         * @description Moves an event to the trash and answers it. One that is there already is 410; nothing is deleted for good here. For users with the right `delete_events`; whose it is, and what is asked for, may take more or less.
         */
        delete: operations["delete_calendar_events_v1_events_by_slug_slug"];
        options?: never;
        head?: never;
        /**
         * Change an event by slug
         * @description Changes fields of an event. Lists of terms and organizers take the place of what was there; venues and organizers that are sent as data are created. What is not sent stays as it is; POST, PUT, PATCH mean the same. For users with the right `edit_events`; whose it is, and what is asked for, may take more or less.
         */
        patch: operations["patch_calendar_events_v1_events_by_slug_slug"];
        trace?: never;
    };
    "/calendar/events/v1/venues": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List venues
         * @description A page of venues. The addresses of the next and the previous page are in the answer. Everybody may ask.
         */
        get: operations["get_calendar_events_v1_venues"];
        put?: never;
        /**
         * Create a venue
         * @description Creates a venue, published where the caller may publish, else a draft, unless `status` says otherwise. For users with the right `edit_events`.
         */
        post: operations["post_calendar_events_v1_venues"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/calendar/events/v1/venues/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a venue by id
         * @description Answers a venue with, here only, structured data (`json_ld`). Strangers may ask; what they may not see is 401.
         */
        get: operations["get_calendar_events_v1_venues_id"];
        put?: never;
        post?: never;
        /**
         * Move a venue to the trash by id
         * @description Moves a venue to the trash and answers it. One that is there already is 410; nothing is deleted for good here. For users with the right `delete_events`; whose it is, and what is asked for, may take more or less.
         */
        delete: operations["delete_calendar_events_v1_venues_id"];
        options?: never;
        head?: never;
        /**
         * Change a venue by id
         * @description Changes fields of a venue; events that name it show the change at once. What is not sent stays as it is; POST, PUT, PATCH mean the same. For users with the right `edit_events`; whose it is, and what is asked for, may take more or less.
         */
        patch: operations["patch_calendar_events_v1_venues_id"];
        trace?: never;
    };
    "/calendar/events/v1/venues/by-slug/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a venue by slug
         * @description Answers a venue with, here only, structured data (`json_ld`). Strangers may ask; what they may not see is 401.
         */
        get: operations["get_calendar_events_v1_venues_by_slug_slug"];
        put?: never;
        post?: never;
        /**
         * Move a venue to the trash by slug
         * @description Moves a venue to the trash and answers it. One that is there already is 410; nothing is deleted for good here. For users with the right `delete_events`; whose it is, and what is asked for, may take more or less.
         */
        delete: operations["delete_calendar_events_v1_venues_by_slug_slug"];
        options?: never;
        head?: never;
        /**
         * Change a venue by slug
         * @description Changes fields of a venue; events that name it show the change at once. What is not sent stays as it is; POST, PUT, PATCH mean the same. For users with the right `edit_events`; whose it is, and what is asked for, may take more or less.
         */
        patch: operations["patch_calendar_events_v1_venues_by_slug_slug"];
        trace?: never;
    };
    "/calendar/events/v1/organizers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List organizers
         * @description A page of organizers. The addresses of the next and the previous page are in the answer. Everybody may ask.
         */
        get: operations["get_calendar_events_v1_organizers"];
        put?: never;
        /**
         * Create an organizer
         * @description Creates an organizer, published where the caller may publish, else a draft, unless `status` says otherwise. For users with the right `edit_events`.
         */
        post: operations["post_calendar_events_v1_organizers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/calendar/events/v1/organizers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an organizer by id
         * @description Answers an organizer with, here only, structured data (`json_ld`). Strangers may ask; what they may not see is 401.
         */
        get: operations["get_calendar_events_v1_organizers_id"];
        put?: never;
        post?: never;
        /**
         * Move an organizer to the trash by id
         * @description Moves an organizer to the trash and answers it. One that is there already is 410; nothing is deleted for good here. For users with the right `delete_events`; whose it is, and what is asked for, may take more or less.
         */
        delete: operations["delete_calendar_events_v1_organizers_id"];
        options?: never;
        head?: never;
        /**
         * Change an organizer by id
         * @description Changes fields of an organizer; events that name it show the change at once. What is not sent stays as it is; POST, PUT, PATCH mean the same. For users with the right `edit_events`; whose it is, and what is asked for, may take more or less.
         */
        patch: operations["patch_calendar_events_v1_organizers_id"];
        trace?: never;
    };
    "/calendar/events/v1/organizers/by-slug/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an organizer by slug
         * @description Answers an organizer with, here only, structured data (`json_ld`). Strangers may ask; what they may not see is 401.
         */
        get: operations["get_calendar_events_v1_organizers_by_slug_slug"];
        put?: never;
        post?: never;
        /**
         * Move an organizer to the trash by slug
         * @description Moves an organizer to the trash and answers it. One that is there already is 410; nothing is deleted for good here. For users with the right `delete_events`; whose it is, and what is asked for, may take more or less.
         */
        delete: operations["delete_calendar_events_v1_organizers_by_slug_slug"];
        options?: never;
        head?: never;
        /**
         * Change an organizer by slug
         * @description Changes fields of an organizer; events that name it show the change at once. What is not sent stays as it is; POST, PUT, PATCH mean the same. For users with the right `edit_events`; whose it is, and what is asked for, may take more or less.
         */
        patch: operations["patch_calendar_events_v1_organizers_by_slug_slug"];
        trace?: never;
    };
    "/calendar/events/v1/categories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List event categories
         * @description A page of the event categories that something published carries; with `hide_empty=false` of all. Everybody may ask.
         */
        get: operations["get_calendar_events_v1_categories"];
        put?: never;
        /**
         * Create an event category
         * @description Creates an event category. A name that is there already is 400. For users with the right `publish_events`.
         */
        post: operations["post_calendar_events_v1_categories"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/calendar/events/v1/categories/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an event category
         * @description Answers an event category with the number of published objects that carry it. Everybody may ask.
         */
        get: operations["get_calendar_events_v1_categories_id"];
        put?: never;
        post?: never;
        /**
         * Delete an event category for good
         * @description Deletes an event category, takes it off everything that carries it, and answers what it was. For users with the right `publish_events`.
         */
        delete: operations["delete_calendar_events_v1_categories_id"];
        options?: never;
        head?: never;
        /**
         * Change an event category
         * @description Changes fields of an event category. What is not sent stays as it is; POST, PUT, PATCH mean the same. For users with the right `publish_events`.
         */
        patch: operations["patch_calendar_events_v1_categories_id"];
        trace?: never;
    };
    "/calendar/events/v1/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List event tags
         * @description A page of the event tags that something published carries; with `hide_empty=false` of all. Everybody may ask.
         */
        get: operations["get_calendar_events_v1_tags"];
        put?: never;
        /**
         * Create an event tag
         * @description Creates an event tag. A name that is there already is 400. For users with the right `edit_post_tags`.
         */
        post: operations["post_calendar_events_v1_tags"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/calendar/events/v1/tags/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an event tag
         * @description Answers an event tag with the number of published objects that carry it. Everybody may ask.
         */
        get: operations["get_calendar_events_v1_tags_id"];
        put?: never;
        post?: never;
        /**
         * Delete an event tag for good
         * @description Deletes an event tag, takes it off everything that carries it, and answers what it was. For users with the right `delete_post_tags`.
         */
        delete: operations["delete_calendar_events_v1_tags_id"];
        options?: never;
        head?: never;
        /**
         * Change an event tag
         * @description Changes fields of an event tag. What is not sent stays as it is; POST, PUT, PATCH mean the same. For users with the right `manage_post_tags`.
         */
        patch: operations["patch_calendar_events_v1_tags_id"];
        trace?: never;
    };
    "/calendar/events/v1/texts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read texts as they were written
         * @description Of events, venues or organizers that the caller may edit, in the order of their numbers; others are left out. Venues and organizers have a description alone. For users with the right `edit_events`.
         */
        get: operations["get_calendar_events_v1_texts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/calendar/event-aggregator/v1/import/{import_id}/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver a batch of events
         * @description Takes the next batch of an import: it is kept before it is answered, and applied after that. The hash of the batch, which the answer to the one before gave, is the credential; the same batch again gets the same answer and has no second effect. A first batch of an unknown import registers it, for users with the right `manage_imports`. Everybody may ask.
         */
        post: operations["post_calendar_event_aggregator_v1_import_import_id_batch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/calendar/event-aggregator/v1/import/{import_id}/state": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report the state of an import
         * @description Takes the report of an import service that an import has ended, failed or goes on. The hash of the batch that is expected next is the credential; it stays good. Everybody may ask.
         */
        post: operations["post_calendar_event_aggregator_v1_import_import_id_state"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contact-form/v1/contact-forms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List contact forms
         * @description All contact forms by number, title, name and language; `per_page` and `offset` choose some. For users with the right `edit_posts`.
         */
        get: operations["get_contact_form_v1_contact_forms"];
        put?: never;
        /**
         * Create a contact form
         * @description Creates a contact form; what is not sent is as in a new form. With a `context` other than `save` it is only shown, with 200, and not kept. For users with the right `publish_pages`.
         */
        post: operations["post_contact_form_v1_contact_forms"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contact-form/v1/contact-forms/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a contact form
         * @description Answers a form with its mails, messages and settings. For users with the right `publish_pages`.
         */
        get: operations["get_contact_form_v1_contact_forms_id"];
        put?: never;
        post?: never;
        /**
         * Delete a contact form
         * @description Deletes a form for good; what came through it stays. For users with the right `publish_pages`.
         */
        delete: operations["delete_contact_form_v1_contact_forms_id"];
        options?: never;
        head?: never;
        /**
         * Change a contact form
         * @description Changes a form. With a `context` other than `save` it is only shown as it would be. What is wrong with its mails is told under `config_errors`. What is not sent stays as it is; POST, PUT, PATCH mean the same. For users with the right `publish_pages`.
         */
        patch: operations["patch_contact_form_v1_contact_forms_id"];
        trace?: never;
    };
    "/contact-form/v1/contact-forms/{id}/feedback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Submit a contact form
         * @description Takes what a visitor filled in, by the names of the fields of the form, files as parts of a form. The answer is 200 whatever became of it: `status` and `invalid_fields` tell. Browsers that ask for HTML get a page instead. Everybody may ask.
         */
        post: operations["post_contact_form_v1_contact_forms_id_feedback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contact-form/v1/contact-forms/{id}/refill": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Fresh quiz questions of a contact form
         * @description New questions for a form that has lain in a cache, with the tokens that come back with their answers. Everybody may ask.
         */
        get: operations["get_contact_form_v1_contact_forms_id_refill"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/spamfilter/v1/key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the key
         * @description The key as it was set; false without one. One that cannot be read any more, since its secret is gone, is 409. For users with the right `manage_spamfilter`.
         */
        get: operations["get_spamfilter_v1_key"];
        put?: never;
        post?: never;
        /**
         * Remove the key
         * @description Takes the key away; what is judged then is judged here alone. For users with the right `manage_spamfilter`.
         */
        delete: operations["delete_spamfilter_v1_key"];
        options?: never;
        head?: never;
        /**
         * Set the key
         * @description Asks the outside service about the key, if there is one, and keeps it. A key that is none, or that is not known there, is 400. What is not sent stays as it is; POST, PUT, PATCH mean the same. For users with the right `manage_spamfilter`.
         */
        patch: operations["patch_spamfilter_v1_key"];
        trace?: never;
    };
    "/spamfilter/v1/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the settings
         * @description What is done with the worst spam, and what the list of comments shows. For users with the right `manage_spamfilter`.
         */
        get: operations["get_spamfilter_v1_settings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the settings
         * @description Changes settings and answers all of them. What is not sent stays as it is; POST, PUT, PATCH mean the same. For users with the right `manage_spamfilter`.
         */
        patch: operations["patch_spamfilter_v1_settings"];
        trace?: never;
    };
    "/spamfilter/v1/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Statistics of a period
         * @description How much spam was met in a period, what was missed or wrongly taken for spam, and the same by days or months. For users with the right `manage_spamfilter`.
         */
        get: operations["get_spamfilter_v1_stats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/spamfilter/v1/stats/{interval}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Statistics of a period named by one letter
         * @description The same as `/stats`, for clients that name the period in the path. For users with the right `manage_spamfilter`.
         */
        get: operations["get_spamfilter_v1_stats_interval"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/seo/v1/configurator": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the configuration and its form
         * @description The answers that the wizard has so far, and the wizard itself: fields and steps as data. For users with the right `manage_seo`.
         */
        get: operations["get_seo_v1_configurator"];
        put?: never;
        /**
         * Change the configuration
         * @description Takes answers by the names of fields and tells of each whether it was taken; unknown names are left out. For users with the right `manage_seo`.
         */
        post: operations["post_seo_v1_configurator"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/seo/v1/reindex_posts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Index the next posts anew
         * @description Brings the index of the next posts up to date, those first that have waited the longest, and answers how many: 0 when all are. For users with the right `edit_posts`.
         */
        get: operations["get_seo_v1_reindex_posts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/seo/v1/external_check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether search engines can fetch the site
         * @description Fetches the front page of the site from outside, as a search engine would, and tells what came of it. What was found is kept for a while. For users with the right `manage_seo`.
         */
        get: operations["get_seo_v1_external_check"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/seo/v1/indexables/{object_type}/{object_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the indexable of an object
         * @description What is known, for search engines, about a post or a term: its address, titles, directives, scores and links. Faults are bare texts. For users with the right `manage_seo`.
         */
        get: operations["get_seo_v1_indexables_object_type_object_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/seo/v1/statistics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count posts by their score
         * @description How many of the published posts that the caller may edit are of each rank. For users who are logged in.
         */
        get: operations["get_seo_v1_statistics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/core/v2/posts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List posts
         * @description A page of the posts that the caller may read, chosen and ordered by the arguments; by the newest date first unless `orderby` says otherwise. `status` chooses others than published ones, for those who may see them. Strangers may ask; what they may not see is 401. The edit context takes the right `edit_posts`.
         */
        get: operations["get_core_v2_posts"];
        put?: never;
        /**
         * Create a post
         * @description Creates a post, a draft unless `status` says otherwise. Texts are taken as a string or as `{raw}`; their HTML is cleaned for users without the right `unfiltered_html`. A slug that is taken gets a number. For users with the right `edit_posts`; what is asked for may take more.
         */
        post: operations["post_core_v2_posts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/core/v2/posts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a post
         * @description Answers a post. What a password protects has empty texts without it. Strangers may ask; what they may not see is 401. The edit context is for those who may change it.
         */
        get: operations["get_core_v2_posts_id"];
        put?: never;
        post?: never;
        /**
         * Move a post to the trash, or delete it for good
         * @description Moves a post to the trash; with `force` it is deleted for good, with its revisions, and the answer says what it was. Once in the trash, it is 410 without `force`. For users with the right `delete_posts`; whose it is, and what is asked for, may take more or less.
         */
        delete: operations["delete_core_v2_posts_id"];
        options?: never;
        head?: never;
        /**
         * Update a post
         * @description Changes fields of a post and keeps what its texts were as a revision. A trashed one comes back by `status`. What is not sent stays as it is; POST, PUT, PATCH mean the same. For users with the right `edit_posts`; whose it is, and what is asked for, may take more or less.
         */
        patch: operations["patch_core_v2_posts_id"];
        trace?: never;
    };
    "/core/v2/pages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List pages
         * @description A page of the pages that the caller may read, chosen and ordered by the arguments; by the newest date first unless `orderby` says otherwise. `status` chooses others than published ones, for those who may see them. Strangers may ask; what they may not see is 401. The edit context takes the right `edit_pages`.
         */
        get: operations["get_core_v2_pages"];
        put?: never;
        /**
         * Create a page
         * @description Creates a page, a draft unless `status` says otherwise. Texts are taken as a string or as `{raw}`; their HTML is cleaned for users without the right `unfiltered_html`. A slug that is taken gets a number. For users with the right `edit_pages`; what is asked for may take more.
         */
        post: operations["post_core_v2_pages"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/core/v2/pages/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a page
         * @description Answers a page. What a password protects has empty texts without it. Strangers may ask; what they may not see is 401. The edit context is for those who may change it.
         */
        get: operations["get_core_v2_pages_id"];
        put?: never;
        post?: never;
        /**
         * Move a page to the trash, or delete it for good
         * @description Moves a page to the trash; with `force` it is deleted for good, with its revisions, and the answer says what it was. Once in the trash, it is 410 without `force`. For users with the right `delete_pages`; whose it is, and what is asked for, may take more or less.
         */
        delete: operations["delete_core_v2_pages_id"];
        options?: never;
        head?: never;
        /**
         * Update a page
         * @description Changes fields of a page and keeps what its texts were as a revision. A trashed one comes back by `status`. What is not sent stays as it is; POST, PUT, PATCH mean the same. For users with the right `edit_pages`; whose it is, and what is asked for, may take more or less.
         */
        patch: operations["patch_core_v2_pages_id"];
        trace?: never;
    };
    "/core/v2/media": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists media that the caller may see
         * @description A page of uploaded files, newest first unless `orderby` says otherwise. A file is as visible as the post that it is attached to. Strangers may ask; what they may not see is 401. The edit context takes the right `edit_posts`.
         */
        get: operations["get_core_v2_media"];
        put?: never;
        /**
         * Uploads a file, as the body or as the part `file` of a form
         * @description Takes the bytes of a file, with its name in `Content-Disposition`, or a form whose part `file` is the file and whose other parts are the arguments. The type is told by the content, which must not contradict the name; of pictures smaller copies are made. For users with the right `upload_files`.
         */
        post: operations["post_core_v2_media"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/core/v2/media/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Reads an attachment
         * @description Answers what is known of a file: its address, its type, and of a picture its measures and copies. Strangers may ask; what they may not see is 401. The edit context is for those who may change it.
         */
        get: operations["get_core_v2_media_id"];
        put?: never;
        post?: never;
        /**
         * Deletes an attachment with its files
         * @description Deletes what is known of a file, the file and its copies, for good with `force`. Without `force` it is 501 unless the site has a trash for media. For users with the right `delete_posts`; whose it is, and what is asked for, may take more or less.
         */
        delete: operations["delete_core_v2_media_id"];
        options?: never;
        head?: never;
        /**
         * Changes an attachment; its file stays
         * @description Changes title, caption, description, alternative text, owner, or what the file is attached to. What is not sent stays as it is; POST, PUT, PATCH mean the same. For users with the right `edit_posts`; whose it is, and what is asked for, may take more or less.
         */
        patch: operations["patch_core_v2_media_id"];
        trace?: never;
    };
    "/core/v2/posts/{parent}/revisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the revisions of a post, newest first
         * @description What the texts of a post were, newest first; all of them unless `per_page` says how many. Of more than 1,000 so many are on a page. For users who are logged in; whose it is, and what is asked for, may take more or less. The edit context is for those who may change it.
         */
        get: operations["get_core_v2_posts_parent_revisions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/core/v2/posts/{parent}/revisions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a revision of a post
         * @description The texts of a post as they were at one time. For users who are logged in; whose it is, and what is asked for, may take more or less. The edit context is for those who may change it.
         */
        get: operations["get_core_v2_posts_parent_revisions_id"];
        put?: never;
        post?: never;
        /**
         * Delete a revision of a post for good
         * @description Deletes one revision; the post stays as it is. There is no trash, so it takes `force`. For users who are logged in; whose it is, and what is asked for, may take more or less.
         */
        delete: operations["delete_core_v2_posts_parent_revisions_id"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/core/v2/pages/{parent}/revisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the revisions of a page, newest first
         * @description What the texts of a page were, newest first; all of them unless `per_page` says how many. Of more than 1,000 so many are on a page. For users who are logged in; whose it is, and what is asked for, may take more or less. The edit context is for those who may change it.
         */
        get: operations["get_core_v2_pages_parent_revisions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/core/v2/pages/{parent}/revisions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a revision of a page
         * @description The texts of a page as they were at one time. For users who are logged in; whose it is, and what is asked for, may take more or less. The edit context is for those who may change it.
         */
        get: operations["get_core_v2_pages_parent_revisions_id"];
        put?: never;
        post?: never;
        /**
         * Delete a revision of a page for good
         * @description Deletes one revision; the page stays as it is. There is no trash, so it takes `force`. For users who are logged in; whose it is, and what is asked for, may take more or less.
         */
        delete: operations["delete_core_v2_pages_parent_revisions_id"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/core/v2/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List users
         * @description A page of users, by name. Strangers and those without the right `list_users` see who has published something. Strangers may ask; what they may not see is 401. The edit context takes the right `list_users`.
         */
        get: operations["get_core_v2_users"];
        put?: never;
        /**
         * Create a user
         * @description Creates a user, a subscriber unless `roles` says otherwise, which takes the right `promote_users`. A name or an e-mail address that is taken is 409. For users with the right `create_users`; what is asked for may take more.
         */
        post: operations["post_core_v2_users"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/core/v2/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a user
         * @description Answers a user. One who has published nothing is seen by those with the right `list_users`, and by the user. Strangers may ask; what they may not see is 401. The edit context is for those who may change it.
         */
        get: operations["get_core_v2_users_id"];
        put?: never;
        post?: never;
        /**
         * Delete a user
         * @description Deletes a user for good, and gives what he wrote to `reassign`, or moves it to the trash where that is false; where that is much, it goes on after the answer. There is no trash for users, so it takes `force`. For users with the right `delete_users`.
         */
        delete: operations["delete_core_v2_users_id"];
        options?: never;
        head?: never;
        /**
         * Update a user
         * @description Changes a user: everybody may change the own one; `roles` takes the right `promote_users`. A user name never changes. What is not sent stays as it is; POST, PUT, PATCH mean the same. For users with the right `edit_users`; whose it is, and what is asked for, may take more or less.
         */
        patch: operations["patch_core_v2_users_id"];
        trace?: never;
    };
    "/core/v2/users/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the user who is logged in
         * @description Answers whoever the credentials belong to: a way to try them. Strangers are 401. Everybody may ask. The edit context is for those who may change it.
         */
        get: operations["get_core_v2_users_me"];
        put?: never;
        post?: never;
        /**
         * Delete the user who is logged in
         * @description Deletes the own user for good, as any other is deleted. For users with the right `delete_users`.
         */
        delete: operations["delete_core_v2_users_me"];
        options?: never;
        head?: never;
        /**
         * Update the user who is logged in
         * @description Changes the own user; `roles` takes the right `promote_users`. What is not sent stays as it is; POST, PUT, PATCH mean the same. For users who are logged in; what is asked for may take more.
         */
        patch: operations["patch_core_v2_users_me"];
        trace?: never;
    };
    "/core/v2/comments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List comments
         * @description A page of approved comments on posts that the caller may read, newest first; other statuses, kinds and authors are for those who write. Strangers may ask; what they may not see is 401. The edit context takes the right `moderate_comments`.
         */
        get: operations["get_core_v2_comments"];
        put?: never;
        /**
         * Write a comment
         * @description Writes a comment on the post that `post` names, as the user who is logged in or as the visitor that `author_name` and `author_email` tell, where the site lets visitors comment. It may wait for approval (`status` is `hold`), and what is spam goes where spam goes. The same text by the same author twice is 409. Who may depends on what is asked for, and on the settings of the site.
         */
        post: operations["post_core_v2_comments"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/core/v2/comments/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a comment
         * @description Answers a comment; one that is not approved only to its author and to those who moderate. Strangers may ask; what they may not see is 401. The edit context takes the right `moderate_comments`.
         */
        get: operations["get_core_v2_comments_id"];
        put?: never;
        post?: never;
        /**
         * Move a comment to the trash, or delete it for good
         * @description Moves a comment to the trash; with `force` it is deleted for good, and the answer says what it was. For users with the right `moderate_comments`; whose it is, and what is asked for, may take more or less.
         */
        delete: operations["delete_core_v2_comments_id"];
        options?: never;
        head?: never;
        /**
         * Change a comment
         * @description Changes the text, the status, or whom it is by or about. `approved`, `hold`, `spam`, `unspam`, `trash` and `untrash` move it. What is not sent stays as it is; POST, PUT, PATCH mean the same. For users with the right `moderate_comments`; whose it is, and what is asked for, may take more or less.
         */
        patch: operations["patch_core_v2_comments_id"];
        trace?: never;
    };
    "/core/v2/categories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List categories
         * @description A page of the categories, by name unless `orderby` says otherwise; with `post` those that something carries. Strangers may ask; what they may not see is 401. The edit context takes the right `edit_categories`.
         */
        get: operations["get_core_v2_categories"];
        put?: never;
        /**
         * Create a category
         * @description Creates a category. A name that is there already, below the same parent, is 400 and names the number of that term. For users with the right `edit_categories`.
         */
        post: operations["post_core_v2_categories"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/core/v2/categories/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a category
         * @description Answers a category with the number of published objects that carry it. Strangers may ask; what they may not see is 401. The edit context takes the right `edit_categories`.
         */
        get: operations["get_core_v2_categories_id"];
        put?: never;
        post?: never;
        /**
         * Delete a category
         * @description Deletes a category for good and takes it off everything that carries it. There is no trash, so it takes `force`. For users with the right `delete_categories`; whose it is, and what is asked for, may take more or less.
         */
        delete: operations["delete_core_v2_categories_id"];
        options?: never;
        head?: never;
        /**
         * Change a category
         * @description Changes name, slug, description or parent of a category. What is not sent stays as it is; POST, PUT, PATCH mean the same. For users with the right `edit_categories`.
         */
        patch: operations["patch_core_v2_categories_id"];
        trace?: never;
    };
    "/core/v2/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tags
         * @description A page of the tags, by name unless `orderby` says otherwise; with `post` those that something carries. Strangers may ask; what they may not see is 401. The edit context takes the right `manage_post_tags`.
         */
        get: operations["get_core_v2_tags"];
        put?: never;
        /**
         * Create a tag
         * @description Creates a tag. A name that is there already, below the same parent, is 400 and names the number of that term. For users with the right `edit_post_tags`.
         */
        post: operations["post_core_v2_tags"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/core/v2/tags/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a tag
         * @description Answers a tag with the number of published objects that carry it. Strangers may ask; what they may not see is 401. The edit context takes the right `manage_post_tags`.
         */
        get: operations["get_core_v2_tags_id"];
        put?: never;
        post?: never;
        /**
         * Delete a tag
         * @description Deletes a tag for good and takes it off everything that carries it. There is no trash, so it takes `force`. For users with the right `delete_post_tags`; whose it is, and what is asked for, may take more or less.
         */
        delete: operations["delete_core_v2_tags_id"];
        options?: never;
        head?: never;
        /**
         * Change a tag
         * @description Changes name, slug, description or parent of a tag. What is not sent stays as it is; POST, PUT, PATCH mean the same. For users with the right `manage_post_tags`.
         */
        patch: operations["patch_core_v2_tags_id"];
        trace?: never;
    };
    "/core/v2/calendar_events_cat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List event categories
         * @description A page of the event categories, by name unless `orderby` says otherwise; with `post` those that something carries. Strangers may ask; what they may not see is 401. The edit context takes the right `publish_events`.
         */
        get: operations["get_core_v2_calendar_events_cat"];
        put?: never;
        /**
         * Create an event category
         * @description Creates an event category. A name that is there already, below the same parent, is 400 and names the number of that term. For users with the right `publish_events`.
         */
        post: operations["post_core_v2_calendar_events_cat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/core/v2/calendar_events_cat/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an event category
         * @description Answers an event category with the number of published objects that carry it. Strangers may ask; what they may not see is 401. The edit context takes the right `publish_events`.
         */
        get: operations["get_core_v2_calendar_events_cat_id"];
        put?: never;
        post?: never;
        /**
         * Delete an event category
         * @description Deletes an event category for good and takes it off everything that carries it. There is no trash, so it takes `force`. For users with the right `publish_events`; whose it is, and what is asked for, may take more or less.
         */
        delete: operations["delete_core_v2_calendar_events_cat_id"];
        options?: never;
        head?: never;
        /**
         * Change an event category
         * @description Changes name, slug, description or parent of an event category. What is not sent stays as it is; POST, PUT, PATCH mean the same. For users with the right `publish_events`.
         */
        patch: operations["patch_core_v2_calendar_events_cat_id"];
        trace?: never;
    };
    "/core/v2/types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List post types
         * @description The kinds of posts that the site has, by name. Strangers may ask; what they may not see is 401. The edit context takes the right `edit_posts`.
         */
        get: operations["get_core_v2_types"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/core/v2/types/{type}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a post type
         * @description One kind of posts, by its name. Strangers may ask; what they may not see is 401. The edit context is for those who may change it.
         */
        get: operations["get_core_v2_types_type"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/core/v2/statuses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List post statuses
         * @description The states that posts can be in, by name: those that the caller may ask for. Strangers may ask; what they may not see is 401. The edit context takes the right `edit_posts`.
         */
        get: operations["get_core_v2_statuses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/core/v2/statuses/{status}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a post status
         * @description One state of posts, by its name; all but `publish` are for those who write. Strangers may ask; what they may not see is 401. The edit context is for those who may change it.
         */
        get: operations["get_core_v2_statuses_status"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/core/v2/taxonomies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List taxonomies
         * @description The kinds of terms that the site has, by name; with `type` only those that posts of that type carry. Strangers may ask; what they may not see is 401. The edit context takes the right `assign_categories`.
         */
        get: operations["get_core_v2_taxonomies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/core/v2/taxonomies/{taxonomy}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a taxonomy
         * @description One kind of terms, by its name. Strangers may ask; what they may not see is 401. The edit context is for those who may change it.
         */
        get: operations["get_core_v2_taxonomies_taxonomy"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/core/v2/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the settings of the site
         * @description Title, address, language, time zone, formats and defaults of the site. For users with the right `manage_options`.
         */
        get: operations["get_core_v2_settings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change settings of the site
         * @description Changes settings and answers all of them. `null` brings a setting back to its default. What is not sent stays as it is; POST, PUT, PATCH mean the same. For users with the right `manage_options`.
         */
        patch: operations["patch_core_v2_settings"];
        trace?: never;
    };
    "/console/api/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the caller's sessions, the newest first
         * @description Those that last, of whoever asks: what began them, from where, and until when they are good. For users who are logged in.
         */
        get: operations["get_console_api_sessions"];
        put?: never;
        /**
         * Log in with a password or an application password: an access token for the interface, and a refresh token for the next one
         * @description The access token opens the whole interface for some minutes, as `Authorization: Bearer …`; the refresh token is exchanged for the next ones. What is wrong too often, from an address or for an account, is refused for a while. Everybody may ask.
         */
        post: operations["post_console_api_sessions"];
        /**
         * End all of the caller's sessions, this one too
         * @description Within a second no token of any of them opens anything. Application passwords stay. For users who are logged in.
         */
        delete: operations["delete_console_api_sessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/sessions/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchange the refresh token for a new one and an access token; one that was exchanged before ends the session
         * @description Each refresh token is good once. For ten seconds the one before gets the same answer again, since answers get lost; later it ends the session, because somebody else may hold the other one. Everybody may ask.
         */
        post: operations["post_console_api_sessions_refresh"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End a session of the caller's: within a second its tokens open nothing any more
         * @description A log-out. What it answers is the session as it was; the others go on. For users who are logged in.
         */
        delete: operations["delete_console_api_sessions_id"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/application-passwords": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List application passwords that work, the newest first
         * @description What each is for, and when and from where it was used last. The secrets themselves are not kept. For users who are logged in.
         */
        get: operations["get_console_api_application_passwords"];
        put?: never;
        /**
         * Make an application password; its secret is told this once
         * @description It opens the whole interface with the rights of its user, as `Authorization: Basic …` with the user name, until it is revoked. For users who are logged in.
         */
        post: operations["post_console_api_application_passwords"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/application-passwords/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an application password: within a second it opens nothing any more
         * @description What it answers is the application password as it was. Sessions that were begun with it end with it. For users who are logged in.
         */
        delete: operations["delete_console_api_application_passwords_id"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhooks, the oldest first; those that are disabled say why
         * @description Who is told of what, whether it arrives, and how much is still to be delivered. For users with the right `manage_options`.
         */
        get: operations["get_console_api_webhooks"];
        put?: never;
        /**
         * Register a webhook; its secret is told this once
         * @description From now on what it names is posted to it as JSON, at least once, by the convention of Standard Webhooks: `webhook-id`, `webhook-timestamp` and `webhook-signature`, and `X-Signature` beside them. Addresses of private networks are refused. For users with the right `manage_options`.
         */
        post: operations["post_console_api_webhooks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/webhooks/topics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All topics that webhooks can be told of
         * @description What there is to be told of, by name. A webhook may name beginnings of them, too, such as `content.*`. For users with the right `manage_options`.
         */
        get: operations["get_console_api_webhooks_topics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a webhook
         * @description As lists show it: without its secret, which is told only when it is made. For users with the right `manage_options`.
         */
        get: operations["get_console_api_webhooks_id"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook with its deliveries; once this is answered, nothing more is sent
         * @description What is on its way comes to its end first, so it may take a while. Its deliveries can no longer be read. For users with the right `manage_options`.
         */
        delete: operations["delete_console_api_webhooks_id"];
        options?: never;
        head?: never;
        /**
         * Change a webhook, disable it or set it to work again; what is absent stays
         * @description What waits is delivered to the new address. One that is disabled loses what waits, and is told only of what happens once it is active again. What is not sent stays as it is; PUT, PATCH, POST mean the same. For users with the right `manage_options`.
         */
        patch: operations["patch_console_api_webhooks_id"];
        trace?: never;
    };
    "/console/api/webhooks/{id}/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a new secret, told this once; the one before signs as well for a day
         * @description Both secrets sign for a day, so that receivers can be told of the new one without missing anything. For users with the right `manage_options`.
         */
        post: operations["post_console_api_webhooks_id_secret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/webhooks/{id}/ping": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a delivery that only says that it came
         * @description The topic is `webhook.ping`. It is delivered like any other, and its answer is to be seen among the deliveries. For users with the right `manage_options`.
         */
        post: operations["post_console_api_webhooks_id_ping"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries of a webhook, the newest first
         * @description Each with what was answered last; they are kept for some days. For users with the right `manage_options`.
         */
        get: operations["get_console_api_webhooks_id_deliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/webhooks/{id}/deliveries/{delivery}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a delivery again, under the id that it had and with what is to be seen now
         * @description Receivers that took it once know it by its id. What it shows is what may be seen by now. For users with the right `manage_options`.
         */
        post: operations["post_console_api_webhooks_id_deliveries_delivery_redeliver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/imports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List imports, the newest first
         * @description Each with how far it is, and what became of its events. For users with the right `manage_imports`.
         */
        get: operations["get_console_api_imports"];
        put?: never;
        /**
         * Register an import; its first batch carries the hash of the answer
         * @description It waits for its first batch, which is sent to the callback of the import with the hash that is answered here. For users with the right `manage_imports`.
         */
        post: operations["post_console_api_imports"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/imports/{import_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an import with its newest batches and faults
         * @description Beside what lists show, the newest of what came with it, and of what could not be taken. For users with the right `manage_imports`.
         */
        get: operations["get_console_api_imports_import_id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/imports/{import_id}/progress": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How an import goes, for its sender (X-Batch-Hash) or who manages imports; those may also follow it as server-sent events
         * @description Counts by kind, and pages of batches and faults. As server-sent events (`Accept: text/event-stream`) the import is told as it is now and after each change, until it is finished, for five minutes at most: whoever goes on asks again. Everybody may ask.
         */
        get: operations["get_console_api_imports_import_id_progress"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/imports/{import_id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Put a failed batch back to work
         * @description The batches behind it, which it held up, follow by themselves. For users with the right `manage_imports`.
         */
        post: operations["post_console_api_imports_import_id_retry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/imports/{import_id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take up a stalled or failed import again; a failed one goes on under a new hash, a stalled one under its own
         * @description What came before stays; the sender goes on with the hash that is answered here. Of a failed import it is a new one; a stalled import keeps the one that its sender has, which goes on to open it. For users with the right `manage_imports`.
         */
        post: operations["post_console_api_imports_import_id_resume"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/submissions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List submissions, the newest first
         * @description By words, form, folder, day or mail address; what meets all of them. For users with the right `publish_pages`.
         */
        get: operations["get_console_api_submissions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/submissions/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All submissions that a filter finds, as a file
         * @description Begins at once and is as long as it is: a column for each field of any form in CSV, an object on each line otherwise. For users with the right `publish_pages`.
         */
        get: operations["get_console_api_submissions_export"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/submissions/mark": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move submissions to a folder; the spam filter learns from it
         * @description What is moved into the spam folder, or out of it, teaches the spam filter. Submissions that are not there are passed over. For users with the right `publish_pages`.
         */
        post: operations["post_console_api_submissions_mark"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/submissions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a submission
         * @description What was filled in, what became of its mails, and what the spam filter says. For users with the right `publish_pages`.
         */
        get: operations["get_console_api_submissions_id"];
        put?: never;
        post?: never;
        /**
         * Delete a submission for good, with its files
         * @description There is no way back: what is to be kept for a while is moved to the trash instead. For users with the right `publish_pages`.
         */
        delete: operations["delete_console_api_submissions_id"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/submissions/{id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send the mails of a submission once more
         * @description What failed, or all of it where all was sent; it is made anew from the form as it is now. For users with the right `publish_pages`.
         */
        post: operations["post_console_api_submissions_id_resend"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/personal-data": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How much came with a mail address through forms
         * @description In any field, wherever it lies: submissions, their files, and mails in the local mailbox. For users with the right `manage_options`.
         */
        get: operations["get_console_api_personal_data"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/personal-data/erase": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Erase all that came with a mail address through forms; that it was erased is kept
         * @description Whoever asks for it has a right to it by law. It answers how much there was. For users with the right `manage_options`.
         */
        post: operations["post_console_api_personal_data_erase"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/spamfilter/notices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What is wrong with the spam filter and wants somebody to do something
         * @description Each notice says what is wrong and what to do about it; the list is empty where all is well. For users with the right `manage_spamfilter`.
         */
        get: operations["get_console_api_spamfilter_notices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/seo/overrides/{type}/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What was chosen for an object instead of what templates make
         * @description Of what is null, templates and settings make something. Scores are those of the last reading. For users who are logged in.
         */
        get: operations["get_console_api_seo_overrides_type_id"];
        /**
         * Choose for an object; what is null templates make again, what is absent stays
         * @description Titles may name variables of the templates. What is chosen is shown in the head of the page from then on. For users who are logged in.
         */
        put: operations["put_console_api_seo_overrides_type_id"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/head": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Everything that belongs into the head of a page of the site, also of one that says that nothing is there, as data or, if asked for, as HTML
         * @description With `Accept: text/html` the elements alone, to be put into a page. Where nothing public stands at the address it is 404, with the head for a page that says so. Everybody may ask.
         */
        get: operations["get_console_api_head"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Error: {
            /** @description What went wrong, for programs. */
            code: string;
            /** @description What went wrong, for people. */
            message: string;
            /** @description What else is known. */
            data: {
                /** @description The status of the answer. */
                status: number;
                /** @description Wrong arguments with a message each, or the names of missing ones. */
                params?: {
                    [key: string]: string;
                } | string[];
                /** @description The same arguments, each with an error of its own. */
                details?: {
                    [key: string]: {
                        /** @description What is wrong with it, for programs. */
                        code: string;
                        /** @description What is wrong with it, for people. */
                        message: string;
                        /** @description What else there is to tell, such as the name of the argument. */
                        data: unknown;
                    };
                };
                /**
                 * @description Nothing of what was asked is done: sending it again does it once.
                 * @constant
                 */
                done?: false;
            } & {
                [key: string]: unknown;
            };
            /** @description What else is known, such as the number of the term that has the name already. */
            additional_data?: unknown[];
        };
        Link: {
            /** @description Address that it leads to. */
            href: string;
            /** @description Whether `_embed` follows it. */
            embeddable?: boolean;
        } & {
            [key: string]: unknown;
        };
        /** @description Links by their relation. */
        Links: {
            [key: string]: components["schemas"]["Link"][];
        };
        "calendar.events.v1.event": {
            /** @description Number of the event. */
            readonly id: number;
            /** @description Identity across sites. */
            readonly global_id: string;
            /** @description Identities, the present one first. */
            readonly global_id_lineage: string[];
            /** @description Number of the author, as text. */
            author: string;
            /** @description Status of publication. */
            status: string;
            /** @description Date of publication, on the clock of the site. */
            date: string;
            /** @description Date of publication, in UTC. */
            date_utc: string;
            /** @description Last change, on the clock of the site. */
            readonly modified: string;
            /** @description Last change, in UTC. */
            readonly modified_utc: string;
            /** @description Address for people. */
            readonly url: string;
            /** @description Address in this interface. */
            readonly rest_url: string;
            /** @description Title, as HTML. */
            title: string;
            /** @description Description, as HTML. */
            description: string;
            /** @description Short description, as HTML. */
            excerpt: string;
            /** @description Name of the event in its address. */
            slug: string;
            /** @description Featured image; false when there is none. */
            image: {
                /**
                 * Format: uri
                 * @description Address of the file.
                 */
                url: string;
                /** @description Number of the attachment. */
                id: number;
                /** @description Extension of the file name. */
                extension: string;
                /** @description Width in pixels. */
                width?: number;
                /** @description Height in pixels. */
                height?: number;
                /** @description Size of the file in bytes. */
                filesize?: number;
                /** @description Smaller copies by the names of their sizes. */
                sizes?: {
                    [key: string]: {
                        /** @description Width in pixels. */
                        width?: number;
                        /** @description Height in pixels. */
                        height?: number;
                        /** @description Type of the file. */
                        "mime-type": string;
                        /** @description Size of the file in bytes. */
                        filesize?: number;
                        /**
                         * Format: uri
                         * @description Address of the file.
                         */
                        url: string;
                    };
                };
            } | boolean;
            /** @description Whether the event takes the whole day. */
            all_day: boolean;
            /** @description Start, on the clock of the event. */
            start_date: string;
            /** @description Parts of the start, as two-digit text. */
            readonly start_date_details: {
                /** @description The year. */
                year: string;
                /** @description The month. */
                month: string;
                /** @description The day. */
                day: string;
                /** @description The hour. */
                hour: string;
                /** @description The minutes. */
                minutes: string;
                /** @description The seconds. */
                seconds: string;
            };
            /** @description End, on the clock of the event. */
            end_date: string;
            /** @description Parts of the end, as two-digit text. */
            readonly end_date_details: {
                /** @description The year. */
                year: string;
                /** @description The month. */
                month: string;
                /** @description The day. */
                day: string;
                /** @description The hour. */
                hour: string;
                /** @description The minutes. */
                minutes: string;
                /** @description The seconds. */
                seconds: string;
            };
            /** @description Start, in UTC. */
            readonly utc_start_date: string;
            /** @description Parts of the start in UTC, as two-digit text. */
            readonly utc_start_date_details: {
                /** @description The year. */
                year: string;
                /** @description The month. */
                month: string;
                /** @description The day. */
                day: string;
                /** @description The hour. */
                hour: string;
                /** @description The minutes. */
                minutes: string;
                /** @description The seconds. */
                seconds: string;
            };
            /** @description End, in UTC. */
            readonly utc_end_date: string;
            /** @description Parts of the end in UTC, as two-digit text. */
            readonly utc_end_date_details: {
                /** @description The year. */
                year: string;
                /** @description The month. */
                month: string;
                /** @description The day. */
                day: string;
                /** @description The hour. */
                hour: string;
                /** @description The minutes. */
                minutes: string;
                /** @description The seconds. */
                seconds: string;
            };
            /** @description Time zone of the event. */
            timezone: string;
            /** @description Abbreviation of the time zone at the start. */
            readonly timezone_abbr: string;
            /** @description Cost, with its currency. */
            cost: string;
            /** @description Parts of the cost. */
            readonly cost_details: {
                /** @description Symbol that the cost names. */
                currency_symbol: string;
                /** @description prefix, postfix or empty. */
                currency_position: string;
                /** @description Values, ascending. */
                values: string[];
            };
            /** @description Address of the website of the event. */
            website: string;
            /** @description Whether a map is shown. */
            show_map: boolean;
            /** @description Whether a link to a map is shown. */
            show_map_link: boolean;
            /** @description Whether calendar views leave the event out. */
            hide_from_listings: boolean;
            /** @description Whether calendar views pin the event. */
            sticky: boolean;
            /** @description Whether the event is featured. */
            featured: boolean;
            /** @description Categories. */
            categories: {
                /** @description Name, as HTML. */
                name: string;
                /** @description Name in addresses. */
                slug: string;
                /** @description Always 0. */
                term_group: number;
                /** @description The number of the term once more. */
                term_taxonomy_id: number;
                /** @description Taxonomy of the term. */
                taxonomy: string;
                /** @description Description, as HTML. */
                description: string;
                /** @description Number of the parent; 0 without. */
                parent: number;
                /** @description How many published objects carry the term. */
                count: number;
                /**
                 * @description Always raw.
                 * @constant
                 */
                filter: "raw";
                /** @description Number of the term. */
                id: number;
                /** @description Addresses in this interface. */
                urls: {
                    /** @description The term. */
                    self: string;
                    /** @description The list of its kind. */
                    collection: string;
                    /** @description Its parent, if it has one. */
                    up?: string;
                };
            }[];
            /** @description Tags. */
            tags: {
                /** @description Name, as HTML. */
                name: string;
                /** @description Name in addresses. */
                slug: string;
                /** @description Always 0. */
                term_group: number;
                /** @description The number of the term once more. */
                term_taxonomy_id: number;
                /** @description Taxonomy of the term. */
                taxonomy: string;
                /** @description Description, as HTML. */
                description: string;
                /** @description Number of the parent; 0 without. */
                parent: number;
                /** @description How many published objects carry the term. */
                count: number;
                /**
                 * @description Always raw.
                 * @constant
                 */
                filter: "raw";
                /** @description Number of the term. */
                id: number;
                /** @description Addresses in this interface. */
                urls: {
                    /** @description The term. */
                    self: string;
                    /** @description The list of its kind. */
                    collection: string;
                    /** @description Its parent, if it has one. */
                    up?: string;
                };
            }[];
            /** @description Venue; an empty list when there is none. */
            venue: components["schemas"]["calendar.events.v1.venue"] | unknown[];
            /** @description Organizers. */
            organizer: components["schemas"]["calendar.events.v1.organizer"][];
            /** @description Structured data; only when a single event is read. */
            readonly json_ld?: Record<string, unknown>;
        };
        /** @description Where events take place. Empty fields are left out. */
        "calendar.events.v1.venue": {
            /** @description Number, unique among events, venues and organizers. */
            readonly id: number;
            /** @description Number of the author, as text. */
            author: string;
            /** @description Status of publication. */
            status: string;
            /** @description Date of publication, on the clock of the site. */
            date: string;
            /** @description Date of publication, in UTC. */
            date_utc: string;
            /** @description Date of the last change, on the clock of the site. */
            readonly modified: string;
            /** @description Date of the last change, in UTC. */
            readonly modified_utc: string;
            /**
             * Format: uri
             * @description Page on the site.
             */
            readonly url: string;
            /** @description Name of the venue. */
            venue: string;
            /** @description Description, as HTML. */
            description?: string;
            /** @description Name in addresses. */
            slug?: string;
            /** @description Featured image. */
            image?: {
                /**
                 * Format: uri
                 * @description Address of the file.
                 */
                url: string;
                /** @description Number of the attachment. */
                id: number;
                /** @description Extension of the file name. */
                extension: string;
                /** @description Width in pixels. */
                width?: number;
                /** @description Height in pixels. */
                height?: number;
                /** @description Size of the file in bytes. */
                filesize?: number;
                /** @description Smaller copies by the names of their sizes. */
                sizes?: {
                    [key: string]: {
                        /** @description Width in pixels. */
                        width?: number;
                        /** @description Height in pixels. */
                        height?: number;
                        /** @description Type of the file. */
                        "mime-type": string;
                        /** @description Size of the file in bytes. */
                        filesize?: number;
                        /**
                         * Format: uri
                         * @description Address of the file.
                         */
                        url: string;
                    };
                };
            };
            /** @description Street and number. */
            address?: string;
            /** @description City. */
            city?: string;
            /** @description Country. */
            country?: string;
            /** @description Region. */
            province?: string;
            /** @description Department. */
            state?: string;
            /** @description Postal code. */
            zip?: string;
            /** @description Telephone number. */
            phone?: string;
            /** @description Address of the website. */
            website?: string;
            /** @description Region and department together. */
            stateprovince?: string;
            /** @description Latitude in degrees. */
            geo_lat?: number;
            /** @description Longitude in degrees. */
            geo_lng?: number;
            /** @description Structured data of schema.org; only when one is read alone. */
            readonly json_ld?: Record<string, unknown>;
            /** @description Whether a map is shown. */
            show_map: boolean;
            /** @description Whether a link to a map is shown. */
            show_map_link: boolean;
            /** @description Identity across sites. */
            readonly global_id: string;
            /** @description Identities it has had, its own first. */
            readonly global_id_lineage: string[];
        };
        /** @description Who holds events. Empty fields are left out. */
        "calendar.events.v1.organizer": {
            /** @description Number, unique among events, venues and organizers. */
            readonly id: number;
            /** @description Number of the author, as text. */
            author: string;
            /** @description Status of publication. */
            status: string;
            /** @description Date of publication, on the clock of the site. */
            date: string;
            /** @description Date of publication, in UTC. */
            date_utc: string;
            /** @description Date of the last change, on the clock of the site. */
            readonly modified: string;
            /** @description Date of the last change, in UTC. */
            readonly modified_utc: string;
            /**
             * Format: uri
             * @description Page on the site.
             */
            readonly url: string;
            /** @description Name of the organizer. */
            organizer: string;
            /** @description Description, as HTML. */
            description?: string;
            /** @description Short description, as HTML. */
            excerpt?: string;
            /** @description Name in addresses. */
            slug?: string;
            /** @description Featured image. */
            image?: {
                /**
                 * Format: uri
                 * @description Address of the file.
                 */
                url: string;
                /** @description Number of the attachment. */
                id: number;
                /** @description Extension of the file name. */
                extension: string;
                /** @description Width in pixels. */
                width?: number;
                /** @description Height in pixels. */
                height?: number;
                /** @description Size of the file in bytes. */
                filesize?: number;
                /** @description Smaller copies by the names of their sizes. */
                sizes?: {
                    [key: string]: {
                        /** @description Width in pixels. */
                        width?: number;
                        /** @description Height in pixels. */
                        height?: number;
                        /** @description Type of the file. */
                        "mime-type": string;
                        /** @description Size of the file in bytes. */
                        filesize?: number;
                        /**
                         * Format: uri
                         * @description Address of the file.
                         */
                        url: string;
                    };
                };
            };
            /** @description Telephone number. */
            phone?: string;
            /** @description Address of the website. */
            website?: string;
            /** @description E-mail address. */
            email?: string;
            /** @description Structured data of schema.org; only when one is read alone. */
            readonly json_ld?: Record<string, unknown>;
            /** @description Identity across sites. */
            readonly global_id: string;
            /** @description Identities it has had, its own first. */
            readonly global_id_lineage: string[];
        };
        /** @description An event category. */
        "calendar.events.v1.event_category": {
            /** @description Number of the term. */
            readonly id: number;
            /** @description How many published objects carry the term. */
            readonly count: number;
            /** @description HTML description. */
            description: string;
            /** @description Name, as HTML. */
            name: string;
            /** @description Name in addresses, unique in the taxonomy. */
            slug: string;
            /** @description Taxonomy of the term. */
            readonly taxonomy: string;
            /** @description Number of the parent category; 0 without. */
            parent: number;
            /** @description Meta fields: none. */
            readonly meta: Record<string, unknown>[];
            /**
             * Format: uri
             * @description Page of the term on the site.
             */
            readonly url: string;
            /** @description Addresses in this interface. */
            readonly urls: {
                /**
                 * Format: uri
                 * @description The term.
                 */
                self: string;
                /**
                 * Format: uri
                 * @description The list of its kind.
                 */
                collection: string;
                /**
                 * Format: uri
                 * @description Its parent, if it has one.
                 */
                up?: string;
            };
            _links?: components["schemas"]["Links"];
        };
        /** @description An event tag. */
        "calendar.events.v1.event_tag": {
            /** @description Number of the term. */
            readonly id: number;
            /** @description How many published objects carry the term. */
            readonly count: number;
            /** @description HTML description. */
            description: string;
            /** @description Name, as HTML. */
            name: string;
            /** @description Name in addresses, unique in the taxonomy. */
            slug: string;
            /** @description Taxonomy of the term. */
            readonly taxonomy: string;
            /** @description Meta fields: none. */
            readonly meta: Record<string, unknown>[];
            /**
             * Format: uri
             * @description Page of the term on the site.
             */
            readonly url: string;
            /** @description Addresses in this interface. */
            readonly urls: {
                /**
                 * Format: uri
                 * @description The term.
                 */
                self: string;
                /**
                 * Format: uri
                 * @description The list of its kind.
                 */
                collection: string;
            };
            _links?: components["schemas"]["Links"];
        };
        /** @description A contact form. */
        "contact-form.v1.contact-form": {
            /** @description Number of the form; null of one that is not kept. */
            readonly id: number | null;
            /** @description Name of the form in addresses; null in the answer that makes it. */
            readonly slug: string | null;
            /** @description Title of the form. */
            title: string;
            /** @description Language of the form. */
            locale: string;
            /** @description Form, mails, messages and additional settings. */
            properties: Record<string, unknown>;
            /** @description What is wrong with the mails, by section; only in answers to writes. */
            readonly config_errors?: {
                [key: string]: {
                    /** @description What is wrong. */
                    message: string;
                    /** @description Page that says more about it. */
                    link: string;
                }[];
            } | unknown[];
        };
        /** @description Settings of the spam filter. */
        "spamfilter.v1.spamfilter-settings": {
            /** @description Whether the worst spam is rejected outright instead of going to the spam folder. */
            spamfilter_strictness: boolean;
            /** @description Whether the list of comments shows, beside each author, how many of theirs were approved. */
            spamfilter_show_user_comments_approved: boolean;
        };
        "core.v2.post": {
            /** @description Identifier. */
            readonly id: number;
            /**
             * Format: date-time-local
             * @description Publication date in the time zone of the site.
             */
            date: string | null;
            /**
             * Format: date-time-local
             * @description Publication date in GMT.
             */
            date_gmt?: string | null;
            /** @description Address that was given at creation and never changes. */
            readonly guid?: {
                /** @description The address. */
                readonly rendered?: string;
                /** @description The address as stored. */
                readonly raw?: string;
            };
            /**
             * Format: date-time-local
             * @description Last change in the time zone of the site.
             */
            readonly modified?: string;
            /**
             * Format: date-time-local
             * @description Last change in GMT.
             */
            readonly modified_gmt?: string;
            /** @description Alphanumeric identifier, unique for its type. */
            slug: string;
            /**
             * @description Named status.
             * @enum {string}
             */
            status?: "publish" | "future" | "draft" | "pending" | "private" | "trash" | "auto-draft" | "inherit" | "request-pending" | "request-confirmed" | "request-failed" | "request-completed" | "calendar-ea-success" | "calendar-ea-failed" | "calendar-ea-schedule" | "calendar-ea-pending" | "calendar-ea-draft" | "calendar-ignored";
            /** @description Type of the object. */
            readonly type: string;
            /**
             * Format: uri
             * @description Address on the site.
             */
            readonly link: string;
            /** @description Protects content and excerpt. */
            password?: string;
            /** @description Title. */
            title: {
                /** @description Text as written, for editing. */
                raw?: string;
                /** @description HTML of the text. */
                readonly rendered: string;
            };
            /** @description Content. */
            content?: {
                /** @description Text as written, for editing. */
                raw?: string;
                /** @description HTML of the content. */
                readonly rendered: string;
                /** @description Whether a password protects it. */
                readonly protected: boolean;
                /** @description Version of the block format, 0 without. */
                readonly block_version?: number;
            };
            /** @description Excerpt. */
            excerpt: {
                /** @description Text as written, for editing. */
                raw?: string;
                /** @description HTML of the excerpt. */
                readonly rendered: string;
                /** @description Whether a password protects it. */
                readonly protected: boolean;
            };
            /** @description Id of the author. */
            author: number;
            /** @description Id of the featured image, 0 without. */
            featured_media: number;
            /**
             * @description Whether comments are open.
             * @enum {string}
             */
            comment_status?: "open" | "closed";
            /**
             * @description Whether pings are open.
             * @enum {string}
             */
            ping_status?: "open" | "closed";
            /** @description Whether it is pinned. */
            sticky?: boolean;
            /** @description Theme file used to render. */
            template?: string;
            /**
             * @description Format.
             * @enum {string}
             */
            format?: "standard" | "aside" | "chat" | "gallery" | "link" | "image" | "quote" | "status" | "video" | "audio";
            /** @description Meta fields. */
            meta?: unknown[];
            /** @description Ids of the categories, by name. */
            categories?: number[];
            /** @description Ids of the tags, by name. */
            tags?: number[];
            /** @description Address with a place for the slug. */
            readonly permalink_template?: string;
            /** @description Slug that the title would give. */
            readonly generated_slug?: string;
            _links?: components["schemas"]["Links"];
            /** @description What the links lead to, by their relation and in their order; an error stands for what the caller may not see. */
            _embedded?: {
                /** @description What `author` leads to. */
                author?: (components["schemas"]["core.v2.user"] | components["schemas"]["Error"])[];
                /** @description What `replies` leads to. */
                replies?: (components["schemas"]["core.v2.comment"][] | components["schemas"]["Error"])[];
                /** @description What `core:featuredmedia` leads to. */
                "core:featuredmedia"?: (components["schemas"]["core.v2.attachment"] | components["schemas"]["Error"])[];
                /** @description What `core:term` leads to. */
                "core:term"?: ((components["schemas"]["core.v2.category"] | components["schemas"]["core.v2.tag"])[] | components["schemas"]["Error"])[];
            };
        };
        "core.v2.page": {
            /** @description Identifier. */
            readonly id: number;
            /**
             * Format: date-time-local
             * @description Publication date in the time zone of the site.
             */
            date: string | null;
            /**
             * Format: date-time-local
             * @description Publication date in GMT.
             */
            date_gmt?: string | null;
            /** @description Address that was given at creation and never changes. */
            readonly guid?: {
                /** @description The address. */
                readonly rendered?: string;
                /** @description The address as stored. */
                readonly raw?: string;
            };
            /**
             * Format: date-time-local
             * @description Last change in the time zone of the site.
             */
            readonly modified?: string;
            /**
             * Format: date-time-local
             * @description Last change in GMT.
             */
            readonly modified_gmt?: string;
            /** @description Alphanumeric identifier, unique for its type. */
            slug: string;
            /**
             * @description Named status.
             * @enum {string}
             */
            status?: "publish" | "future" | "draft" | "pending" | "private" | "trash" | "auto-draft" | "inherit" | "request-pending" | "request-confirmed" | "request-failed" | "request-completed" | "calendar-ea-success" | "calendar-ea-failed" | "calendar-ea-schedule" | "calendar-ea-pending" | "calendar-ea-draft" | "calendar-ignored";
            /** @description Type of the object. */
            readonly type: string;
            /**
             * Format: uri
             * @description Address on the site.
             */
            readonly link: string;
            /** @description Protects content and excerpt. */
            password?: string;
            /** @description Title. */
            title: {
                /** @description Text as written, for editing. */
                raw?: string;
                /** @description HTML of the text. */
                readonly rendered: string;
            };
            /** @description Content. */
            content?: {
                /** @description Text as written, for editing. */
                raw?: string;
                /** @description HTML of the content. */
                readonly rendered: string;
                /** @description Whether a password protects it. */
                readonly protected: boolean;
                /** @description Version of the block format, 0 without. */
                readonly block_version?: number;
            };
            /** @description Excerpt. */
            excerpt: {
                /** @description Text as written, for editing. */
                raw?: string;
                /** @description HTML of the excerpt. */
                readonly rendered: string;
                /** @description Whether a password protects it. */
                readonly protected: boolean;
            };
            /** @description Id of the author. */
            author: number;
            /** @description Id of the featured image, 0 without. */
            featured_media: number;
            /** @description Id of the parent page. */
            parent?: number;
            /** @description Order relative to other pages. */
            menu_order?: number;
            /**
             * @description Whether comments are open.
             * @enum {string}
             */
            comment_status?: "open" | "closed";
            /**
             * @description Whether pings are open.
             * @enum {string}
             */
            ping_status?: "open" | "closed";
            /** @description Theme file used to render. */
            template?: string;
            /** @description Meta fields. */
            meta?: unknown[];
            /** @description Address with a place for the slug. */
            readonly permalink_template?: string;
            /** @description Slug that the title would give. */
            readonly generated_slug?: string;
            _links?: components["schemas"]["Links"];
            /** @description What the links lead to, by their relation and in their order; an error stands for what the caller may not see. */
            _embedded?: {
                /** @description What `author` leads to. */
                author?: (components["schemas"]["core.v2.user"] | components["schemas"]["Error"])[];
                /** @description What `replies` leads to. */
                replies?: (components["schemas"]["core.v2.comment"][] | components["schemas"]["Error"])[];
                /** @description What `core:featuredmedia` leads to. */
                "core:featuredmedia"?: (components["schemas"]["core.v2.attachment"] | components["schemas"]["Error"])[];
                /** @description What `up` leads to. */
                up?: (components["schemas"]["core.v2.page"] | components["schemas"]["Error"])[];
            };
        };
        "core.v2.attachment": {
            /** @description Identifier. */
            readonly id: number;
            /**
             * Format: date-time-local
             * @description Publication date in the time zone of the site.
             */
            date: string | null;
            /**
             * Format: date-time-local
             * @description Publication date in GMT.
             */
            date_gmt?: string | null;
            /** @description Address that was given at creation and never changes. */
            readonly guid?: {
                /** @description The address. */
                readonly rendered?: string;
                /** @description The address as stored. */
                readonly raw?: string;
            };
            /**
             * Format: date-time-local
             * @description Last change in the time zone of the site.
             */
            readonly modified?: string;
            /**
             * Format: date-time-local
             * @description Last change in GMT.
             */
            readonly modified_gmt?: string;
            /** @description Alphanumeric identifier, unique for its type. */
            slug: string;
            /**
             * @description Named status.
             * @enum {string}
             */
            status?: "inherit" | "private" | "trash";
            /** @description Type of the object. */
            readonly type: string;
            /**
             * Format: uri
             * @description Address on the site.
             */
            readonly link: string;
            /** @description Title. */
            title: {
                /** @description Text as written, for editing. */
                raw?: string;
                /** @description HTML of the text. */
                readonly rendered: string;
            };
            /** @description Id of the user who owns it. */
            author: number;
            /**
             * @description Whether comments are open.
             * @enum {string}
             */
            comment_status?: "open" | "closed";
            /**
             * @description Whether pings are open.
             * @enum {string}
             */
            ping_status?: "open" | "closed";
            /** @description Theme file used to render. */
            template?: string;
            /** @description Meta fields. */
            meta?: unknown[];
            /** @description Address that works in any status. */
            readonly permalink_template?: string;
            /** @description Slug that the title would give. */
            readonly generated_slug?: string;
            /** @description Description; rendered with the picture, or a link to the file, in front. */
            description?: {
                /** @description Text as written, for editing. */
                raw?: string;
                /** @description HTML of the text. */
                readonly rendered: string;
            };
            /** @description Caption. */
            caption: {
                /** @description Text as written, for editing. */
                raw?: string;
                /** @description HTML of the text. */
                readonly rendered: string;
            };
            /** @description Text offered when the picture cannot be displayed. */
            alt_text: string;
            /**
             * @description Picture or any other file.
             * @enum {string}
             */
            readonly media_type: "image" | "file";
            /** @description Type of the file. */
            readonly mime_type: string;
            /** @description Measures, copies and camera data of a picture. */
            readonly media_details: Record<string, unknown>;
            /** @description Id of the post it is attached to; null without. */
            post?: number | null;
            /**
             * Format: uri
             * @description Address of the file.
             */
            readonly source_url: string;
            /** @description Copies not yet made; always none. */
            readonly missing_image_sizes?: string[];
            _links?: components["schemas"]["Links"];
            /** @description What the links lead to, by their relation and in their order; an error stands for what the caller may not see. */
            _embedded?: {
                /** @description What `author` leads to. */
                author?: (components["schemas"]["core.v2.user"] | components["schemas"]["Error"])[];
                /** @description What `replies` leads to. */
                replies?: (components["schemas"]["core.v2.comment"][] | components["schemas"]["Error"])[];
            };
        };
        "core.v2.revision": {
            /** @description Id of who made the change. */
            readonly author: number;
            /**
             * Format: date-time-local
             * @description Publication date in the time zone of the site.
             */
            date: string | null;
            /**
             * Format: date-time-local
             * @description Publication date in GMT.
             */
            date_gmt?: string | null;
            /** @description Identifier. */
            readonly id: number;
            /**
             * Format: date-time-local
             * @description Last change in the time zone of the site.
             */
            readonly modified?: string;
            /**
             * Format: date-time-local
             * @description Last change in GMT.
             */
            readonly modified_gmt?: string;
            /** @description Id of the post or page. */
            readonly parent: number;
            /** @description Alphanumeric identifier. */
            readonly slug: string;
            /** @description Address that was given at creation and never changes. */
            readonly guid?: {
                /** @description The address. */
                readonly rendered?: string;
                /** @description The address as stored. */
                readonly raw?: string;
            };
            /** @description Title as it was. */
            title: {
                /** @description Text as written, for editing. */
                raw?: string;
                /** @description HTML of the text. */
                readonly rendered: string;
            };
            /** @description Content as it was. */
            content?: {
                /** @description Text as written, for editing. */
                raw?: string;
                /** @description HTML of the text. */
                readonly rendered: string;
            };
            /** @description Excerpt as it was. */
            excerpt: {
                /** @description Text as written, for editing. */
                raw?: string;
                /** @description HTML of the text. */
                readonly rendered: string;
            };
            _links?: components["schemas"]["Links"];
        };
        "core.v2.user": {
            /** @description Id of the user. */
            readonly id: number;
            /** @description Log-in name; it never changes. */
            username?: string;
            /** @description Name shown to readers. */
            name: string;
            /** @description First name. */
            first_name?: string;
            /** @description Last name. */
            last_name?: string;
            /**
             * Format: email
             * @description E-mail address.
             */
            email?: string;
            /** @description Address of a page of the user. */
            url: string;
            /** @description A few words about the user. */
            description: string;
            /**
             * Format: uri
             * @description Page with what the user wrote.
             */
            readonly link: string;
            /**
             * @description Language of the user.
             * @enum {string}
             */
            locale?: "" | "en_US" | "de_DE" | "en_GB" | "es_ES" | "fr_FR" | "it_IT" | "nl_NL" | "pt_PT";
            /** @description Nickname. */
            nickname?: string;
            /** @description Part of addresses that names the user. */
            slug: string;
            /** @description Roles of the user. */
            roles?: string[];
            /**
             * Format: date-time
             * @description Moment of registration.
             */
            readonly registered_date?: string;
            /** @description Everything the user may do. */
            readonly capabilities?: Record<string, unknown>;
            /** @description What was given to this user: the roles. */
            readonly extra_capabilities?: Record<string, unknown>;
            /** @description Addresses of pictures by size. */
            readonly avatar_urls: {
                /**
                 * Format: uri
                 * @description Picture of 24 pixels.
                 */
                24: string;
                /**
                 * Format: uri
                 * @description Picture of 48 pixels.
                 */
                48: string;
                /**
                 * Format: uri
                 * @description Picture of 96 pixels.
                 */
                96: string;
            };
            /** @description Meta fields. */
            meta?: unknown[];
            _links?: components["schemas"]["Links"];
        };
        "core.v2.comment": {
            /** @description Number of the comment. */
            readonly id: number;
            /** @description Id of the post it is about. */
            post?: number;
            /** @description Id of the comment it answers; 0 for none. */
            parent: number;
            /** @description Id of the user who wrote it; 0 for a visitor. */
            author: number;
            /** @description Name of who wrote it. */
            author_name: string;
            /** @description E-mail address of who wrote it. */
            author_email?: string;
            /** @description Web address of who wrote it. */
            author_url: string;
            /** @description Network address it came from. */
            author_ip?: string;
            /** @description Program it was written with. */
            author_user_agent?: string;
            /**
             * Format: date-time-local
             * @description When it was written, by the clock of the site.
             */
            date: string;
            /**
             * Format: date-time-local
             * @description When it was written, in UTC.
             */
            date_gmt?: string;
            /** @description What it says. */
            content: {
                /** @description As HTML. */
                readonly rendered: string;
                /** @description As stored. */
                raw?: string;
            };
            /**
             * Format: uri
             * @description Address on the site.
             */
            readonly link: string;
            /** @description approved, hold, spam or trash. */
            status?: string;
            /** @description Kind of comment. */
            readonly type: string;
            /** @description Pictures of who wrote it, by width in pixels. */
            readonly author_avatar_urls: {
                /**
                 * Format: uri
                 * @description 24 pixels wide.
                 */
                24: string;
                /**
                 * Format: uri
                 * @description 48 pixels wide.
                 */
                48: string;
                /**
                 * Format: uri
                 * @description 96 pixels wide.
                 */
                96: string;
            };
            /** @description Meta fields. */
            meta?: unknown[];
            _links?: components["schemas"]["Links"];
            /** @description What the links lead to, by their relation and in their order; an error stands for what the caller may not see. */
            _embedded?: {
                /** @description What `author` leads to. */
                author?: (components["schemas"]["core.v2.user"] | components["schemas"]["Error"])[];
                /** @description What `up` leads to. */
                up?: ((components["schemas"]["core.v2.post"] | components["schemas"]["core.v2.page"] | components["schemas"]["core.v2.attachment"]) | components["schemas"]["Error"])[];
                /** @description What `in-reply-to` leads to. */
                "in-reply-to"?: (components["schemas"]["core.v2.comment"] | components["schemas"]["Error"])[];
                /** @description What `children` leads to. */
                children?: (components["schemas"]["core.v2.comment"][] | components["schemas"]["Error"])[];
            };
        };
        /** @description A category. */
        "core.v2.category": {
            /** @description Number of the term. */
            readonly id: number;
            /** @description How many published objects carry the term. */
            readonly count?: number;
            /** @description HTML description. */
            description?: string;
            /**
             * Format: uri
             * @description Page of the term on the site.
             */
            readonly link: string;
            /** @description HTML title of the term. */
            name: string;
            /** @description Name of the term in addresses, unique in its taxonomy. */
            slug: string;
            /**
             * @description Taxonomy of the term.
             * @enum {string}
             */
            readonly taxonomy: "category";
            /** @description Number of the parent term; 0 without. */
            parent?: number;
            /** @description Meta fields. */
            meta?: unknown[];
            _links?: components["schemas"]["Links"];
            /** @description What the links lead to, by their relation and in their order; an error stands for what the caller may not see. */
            _embedded?: {
                /** @description What `up` leads to. */
                up?: (components["schemas"]["core.v2.category"] | components["schemas"]["Error"])[];
            };
        };
        /** @description A tag. */
        "core.v2.tag": {
            /** @description Number of the term. */
            readonly id: number;
            /** @description How many published objects carry the term. */
            readonly count?: number;
            /** @description HTML description. */
            description?: string;
            /**
             * Format: uri
             * @description Page of the term on the site.
             */
            readonly link: string;
            /** @description HTML title of the term. */
            name: string;
            /** @description Name of the term in addresses, unique in its taxonomy. */
            slug: string;
            /**
             * @description Taxonomy of the term.
             * @enum {string}
             */
            readonly taxonomy: "post_tag";
            /** @description Meta fields. */
            meta?: unknown[];
            _links?: components["schemas"]["Links"];
        };
        /** @description A event category. */
        "core.v2.calendar_events_cat": {
            /** @description Number of the term. */
            readonly id: number;
            /** @description How many published objects carry the term. */
            readonly count?: number;
            /** @description HTML description. */
            description?: string;
            /**
             * Format: uri
             * @description Page of the term on the site.
             */
            readonly link: string;
            /** @description HTML title of the term. */
            name: string;
            /** @description Name of the term in addresses, unique in its taxonomy. */
            slug: string;
            /**
             * @description Taxonomy of the term.
             * @enum {string}
             */
            readonly taxonomy: "calendar_events_cat";
            /** @description Number of the parent term; 0 without. */
            parent?: number;
            /** @description Meta fields. */
            meta?: unknown[];
            _links?: components["schemas"]["Links"];
            /** @description What the links lead to, by their relation and in their order; an error stands for what the caller may not see. */
            _embedded?: {
                /** @description What `up` leads to. */
                up?: (components["schemas"]["core.v2.calendar_events_cat"] | components["schemas"]["Error"])[];
            };
        };
        /** @description A kind of post. */
        "core.v2.type": {
            /** @description What each right over posts of the type is called. */
            readonly capabilities?: Record<string, unknown>;
            /** @description What the type is for. */
            readonly description?: string;
            /** @description Whether posts of the type have parents. */
            readonly hierarchical?: boolean;
            /** @description Whether the site has a list of them at an address of its own. */
            readonly has_archive?: boolean | string;
            /** @description Where the site offers the type. */
            readonly visibility?: Record<string, unknown>;
            /** @description Whether visitors can see posts of the type. */
            readonly viewable?: boolean;
            /** @description Words for forms and lists. */
            readonly labels?: Record<string, unknown>;
            /** @description Name for people. */
            readonly name: string;
            /** @description Name of the type. */
            readonly slug: string;
            /** @description Features of the type. */
            readonly supports?: Record<string, unknown>;
            /** @description Taxonomies of the type. */
            readonly taxonomies?: string[];
            /** @description Route of the type. */
            readonly rest_base: string;
            /** @description Namespace of that route. */
            readonly rest_namespace?: string;
            _links?: components["schemas"]["Links"];
        };
        /** @description A state a post can be in. */
        "core.v2.status": {
            /** @description Name for people. */
            readonly name: string;
            /** @description Whether posts of the status are private. */
            readonly private?: boolean;
            /** @description Whether posts of the status are for those who edit them. */
            readonly protected?: boolean;
            /** @description Whether everybody sees posts of the status. */
            readonly public?: boolean;
            /** @description Whether everybody may ask for posts of the status. */
            readonly queryable?: boolean;
            /** @description Whether lists of all posts hold those of the status. */
            readonly show_in_list?: boolean;
            /** @description Name of the status. */
            readonly slug: string;
            /** @description Whether the date may still move until publication. */
            readonly date_floating?: boolean;
            _links?: components["schemas"]["Links"];
        };
        /** @description A kind of term. */
        "core.v2.taxonomy": {
            /** @description Name for people. */
            readonly name: string;
            /** @description Name of the taxonomy. */
            readonly slug: string;
            /** @description What each right over its terms is called. */
            readonly capabilities?: Record<string, unknown>;
            /** @description What the taxonomy is for. */
            readonly description?: string;
            /** @description Words for forms and lists. */
            readonly labels?: Record<string, unknown>;
            /** @description Post types that carry its terms. */
            readonly types?: string[];
            /** @description Whether clouds of terms may show it. */
            readonly show_cloud?: boolean;
            /** @description Whether its terms have parents. */
            readonly hierarchical?: boolean;
            /** @description Route of its terms. */
            readonly rest_base: string;
            /** @description Namespace of that route. */
            readonly rest_namespace?: string;
            /** @description Where the site offers the taxonomy. */
            readonly visibility?: Record<string, unknown>;
            _links?: components["schemas"]["Links"];
        };
        /** @description Settings of the site. */
        "core.v2.settings": {
            /** @description Title of the site. */
            title: string | null;
            /** @description Tagline of the site. */
            description: string;
            /** @description Address of the site; fixed by configuration, so writing it changes nothing. */
            url: string;
            /** @description Address for administrative mail. */
            email: string;
            /** @description A city in the time zone of the site. */
            timezone: string;
            /** @description Format of dates. */
            date_format: string;
            /** @description Format of times of day. */
            time_format: string;
            /** @description Number of the first weekday; 0 is Sunday. */
            start_of_week: number;
            /** @description Locale code of the site. */
            language: string;
            /** @description Whether emoticons are shown as pictures. */
            use_smilies: boolean;
            /** @description Category of posts that have no other. */
            default_category: number;
            /** @description Format of posts that have no other. */
            default_post_format: string;
            /** @description Posts on a page of the site. */
            posts_per_page: number;
            /**
             * @description Whether new posts take notices of links.
             * @enum {string}
             */
            default_ping_status: "open" | "closed";
            /**
             * @description Whether new posts take comments.
             * @enum {string}
             */
            default_comment_status: "open" | "closed";
        };
        SiteIndex: {
            /** @description Title of the site. */
            name: string;
            /** @description What it is about. */
            description: string;
            /** @description Address of the site. */
            url: string;
            /** @description Address of its front page. */
            home: string;
            /** @description How many hours its clock is before UTC now. */
            gmt_offset: number;
            /** @description Name of its time zone, where it has one. */
            timezone_string: string;
            /** @description Namespaces of its interface. */
            namespaces: string[];
            /** @description Always an empty list. */
            authentication: unknown[];
            /** @description Routes by their pattern. */
            routes: {
                [key: string]: {
                    /** @description Namespace that it is of. */
                    namespace: string;
                    /** @description Methods that are answered. */
                    methods: string[];
                    /** @description What takes the same arguments. */
                    endpoints: {
                        /** @description Methods that are answered. */
                        methods: string[];
                        /** @description Arguments by name; an empty list where there is none. */
                        args: {
                            [key: string]: {
                                /** @description Whether a request without it is refused. */
                                required: boolean;
                                /** @description What it is where it is not sent. */
                                default?: unknown;
                                /** @description What it may be. */
                                enum?: unknown[];
                                /** @description What it is for. */
                                description?: string;
                                /** @description Type of its value. */
                                type?: string;
                                /** @description Of a list: what each entry is. */
                                items?: Record<string, unknown>;
                            };
                        } | unknown[];
                    }[];
                    /** @description Where it is, if it names nothing. */
                    _links?: {
                        /** @description Address that it leads to. */
                        self: string;
                    };
                };
            };
            /** @description Links by their relation. */
            _links: {
                [key: string]: {
                    /** @description Address that it leads to. */
                    href: string;
                }[];
            };
        };
        NamespaceIndex: {
            /** @description The namespace. */
            namespace: string;
            /** @description Routes by their pattern. */
            routes: {
                [key: string]: {
                    /** @description Namespace that it is of. */
                    namespace: string;
                    /** @description Methods that are answered. */
                    methods: string[];
                    /** @description What takes the same arguments. */
                    endpoints: {
                        /** @description Methods that are answered. */
                        methods: string[];
                        /** @description Arguments by name; an empty list where there is none. */
                        args: {
                            [key: string]: {
                                /** @description Whether a request without it is refused. */
                                required: boolean;
                                /** @description What it is where it is not sent. */
                                default?: unknown;
                                /** @description What it may be. */
                                enum?: unknown[];
                                /** @description What it is for. */
                                description?: string;
                                /** @description Type of its value. */
                                type?: string;
                                /** @description Of a list: what each entry is. */
                                items?: Record<string, unknown>;
                            };
                        } | unknown[];
                    }[];
                    /** @description Where it is, if it names nothing. */
                    _links?: {
                        /** @description Address that it leads to. */
                        self: string;
                    };
                };
            };
            /** @description Links by their relation. */
            _links: {
                [key: string]: {
                    /** @description Address that it leads to. */
                    href: string;
                }[];
            };
        };
    };
    responses: {
        /** @description What the caller has is still right. */
        NotModified: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description Arguments are missing or wrong, or the request cannot be read. */
        Error400: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The credentials are wrong, or nobody is logged in where that is needed. */
        Error401: {
            headers: {
                "WWW-Authenticate": components["headers"]["challenge"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The caller has not the right to do or see this. */
        Error403: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description There is no such thing, or no such page of a list. */
        Error404: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description What is read is not what the request names as its condition, a write has one, or the body did not arrive whole. */
        Error412: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Too many requests. */
        Error429: {
            headers: {
                "Retry-After": components["headers"]["retryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A fault of the site, which is logged. */
        Error500: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A service gave no valid answer. Whether it did what was asked is not known. */
        Error502: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Something that is needed is away or too busy. */
        Error503: {
            headers: {
                "Retry-After": components["headers"]["retryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The answer took too long. */
        Error504: {
            headers: {
                "Retry-After": components["headers"]["retryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body did not arrive in time. */
        Error408: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Something of the kind exists, or another request changed the same thing at the same time. */
        Error409: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description It is in the trash already. */
        Error410: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body, or what it holds, is too large. */
        Error413: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is of a type or an encoding that is not taken. */
        Error415: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description There is no room left to store anything. */
        Error507: {
            headers: {
                "Retry-After": components["headers"]["retryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description There is no trash: it can only be deleted for good, with `force`. */
        Error501: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
        fields: string[];
        /** @description Relations whose links are followed; without a value all that can be. */
        embed: string[];
        /** @description Names the file where it is the whole body, as in `attachment; filename="cat.png"`. */
        contentDisposition: string;
    };
    requestBodies: never;
    headers: {
        /** @description How to say who is asking. */
        challenge: string;
        /** @description Seconds after which to try again. */
        retryAfter: string;
        /** @description How many there are in all. */
        total: number;
        /** @description How many pages there are. */
        totalPages: number;
        /** @description There are at least as many as the total says. */
        totalRelation: "gte";
        /** @description The pages before and after this one, as `rel="prev"` and `rel="next"`. */
        link: string;
        /** @description Address of what was created. */
        location: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    get_index: {
        parameters: {
            query?: {
                /** @description Which fields are shown. */
                context?: string;
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SiteIndex"];
                };
            };
            /** @description Arguments are missing or wrong, or the request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The credentials are wrong, or nobody is logged in where that is needed. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["challenge"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such thing, or no such page of a list. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description What is read is not what the request names as its condition, a write has one, or the body did not arrive whole. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["retryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the site, which is logged. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Something that is needed is away or too busy. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["retryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    get_index_of_oembed_1_0: {
        parameters: {
            query?: {
                /** @description Which fields are shown. */
                context?: string;
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NamespaceIndex"];
                };
            };
            /** @description Arguments are missing or wrong, or the request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The credentials are wrong, or nobody is logged in where that is needed. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["challenge"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such thing, or no such page of a list. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description What is read is not what the request names as its condition, a write has one, or the body did not arrive whole. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["retryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the site, which is logged. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Something that is needed is away or too busy. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["retryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    get_index_of_calendar_events_v1: {
        parameters: {
            query?: {
                /** @description Which fields are shown. */
                context?: string;
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NamespaceIndex"];
                };
            };
            /** @description Arguments are missing or wrong, or the request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The credentials are wrong, or nobody is logged in where that is needed. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["challenge"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such thing, or no such page of a list. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description What is read is not what the request names as its condition, a write has one, or the body did not arrive whole. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["retryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the site, which is logged. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Something that is needed is away or too busy. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["retryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    get_index_of_calendar_event_aggregator_v1: {
        parameters: {
            query?: {
                /** @description Which fields are shown. */
                context?: string;
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NamespaceIndex"];
                };
            };
            /** @description Arguments are missing or wrong, or the request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The credentials are wrong, or nobody is logged in where that is needed. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["challenge"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such thing, or no such page of a list. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description What is read is not what the request names as its condition, a write has one, or the body did not arrive whole. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["retryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the site, which is logged. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Something that is needed is away or too busy. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["retryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    get_index_of_contact_form_v1: {
        parameters: {
            query?: {
                /** @description Which fields are shown. */
                context?: string;
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NamespaceIndex"];
                };
            };
            /** @description Arguments are missing or wrong, or the request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The credentials are wrong, or nobody is logged in where that is needed. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["challenge"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such thing, or no such page of a list. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description What is read is not what the request names as its condition, a write has one, or the body did not arrive whole. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["retryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the site, which is logged. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Something that is needed is away or too busy. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["retryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    get_index_of_spamfilter_v1: {
        parameters: {
            query?: {
                /** @description Which fields are shown. */
                context?: string;
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NamespaceIndex"];
                };
            };
            /** @description Arguments are missing or wrong, or the request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The credentials are wrong, or nobody is logged in where that is needed. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["challenge"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such thing, or no such page of a list. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description What is read is not what the request names as its condition, a write has one, or the body did not arrive whole. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["retryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the site, which is logged. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Something that is needed is away or too busy. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["retryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    get_index_of_seo_v1: {
        parameters: {
            query?: {
                /** @description Which fields are shown. */
                context?: string;
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NamespaceIndex"];
                };
            };
            /** @description Arguments are missing or wrong, or the request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The credentials are wrong, or nobody is logged in where that is needed. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["challenge"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such thing, or no such page of a list. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description What is read is not what the request names as its condition, a write has one, or the body did not arrive whole. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["retryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the site, which is logged. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Something that is needed is away or too busy. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["retryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    get_index_of_core_v2: {
        parameters: {
            query?: {
                /** @description Which fields are shown. */
                context?: string;
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NamespaceIndex"];
                };
            };
            /** @description Arguments are missing or wrong, or the request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The credentials are wrong, or nobody is logged in where that is needed. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["challenge"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such thing, or no such page of a list. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description What is read is not what the request names as its condition, a write has one, or the body did not arrive whole. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["retryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the site, which is logged. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Something that is needed is away or too busy. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["retryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    get_oembed_1_0_embed: {
        parameters: {
            query: {
                /** @description Address of the page of this site to embed. */
                url: unknown;
                /** @description Form of the answer: json or xml. */
                format?: unknown;
                /** @description Largest width in pixels. */
                maxwidth?: unknown;
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Version of oEmbed.
                         * @constant
                         */
                        version: "1.0";
                        /**
                         * @description What it is.
                         * @enum {unknown}
                         */
                        type: "rich" | "video" | "photo" | "link";
                        /** @description What to put into the page. */
                        html: string;
                        /** @description Title of what is embedded. */
                        title?: string;
                        /** @description Who made it. */
                        author_name?: string;
                        /** @description Page of who made it. */
                        author_url?: string;
                        /** @description Name of the site that it is from. */
                        provider_name?: string;
                        /** @description Address of that site. */
                        provider_url?: string;
                        /** @description Width in pixels. */
                        width?: number;
                        /** @description Height in pixels. */
                        height?: number;
                        /** @description Address of the picture itself, where it is one. */
                        url?: string;
                        /** @description Address of a small picture of it. */
                        thumbnail_url?: string;
                        /** @description Width of the small picture in pixels. */
                        thumbnail_width?: number;
                        /** @description Height of the small picture in pixels. */
                        thumbnail_height?: number;
                    };
                    "text/xml": string;
                };
            };
            304: components["responses"]["NotModified"];
            /** @description Arguments are missing or wrong, or the request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "text/xml": string;
                };
            };
            /** @description The credentials are wrong, or nobody is logged in where that is needed. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["challenge"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "text/xml": string;
                };
            };
            /** @description There is no such thing, or no such page of a list. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "text/xml": string;
                };
            };
            /** @description What is read is not what the request names as its condition, a write has one, or the body did not arrive whole. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "text/xml": string;
                };
            };
            /** @description Too many requests. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["retryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "text/xml": string;
                };
            };
            /** @description A fault of the site, which is logged. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "text/xml": string;
                };
            };
            /** @description A service gave no valid answer. Whether it did what was asked is not known. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "text/xml": string;
                };
            };
            /** @description Something that is needed is away or too busy. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["retryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "text/xml": string;
                };
            };
            /** @description The answer took too long. */
            504: {
                headers: {
                    "Retry-After": components["headers"]["retryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "text/xml": string;
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    get_oembed_1_0_proxy: {
        parameters: {
            query: {
                /** @description Address of the resource to fetch oEmbed data from. */
                url: string;
                /** @description Form that is asked for. */
                format?: "json" | "xml";
                /** @description Largest width in pixels. */
                maxwidth?: number | string;
                /** @description Largest height in pixels. */
                maxheight?: number | string;
                /** @description Whether to look for oEmbed links on pages of providers that are not on the allowed list. */
                discover?: boolean;
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Version of oEmbed.
                         * @constant
                         */
                        version: "1.0";
                        /**
                         * @description What it is.
                         * @enum {unknown}
                         */
                        type: "rich" | "video" | "photo" | "link";
                        /** @description What to put into the page. */
                        html: string;
                        /** @description Title of what is embedded. */
                        title?: string;
                        /** @description Who made it. */
                        author_name?: string;
                        /** @description Page of who made it. */
                        author_url?: string;
                        /** @description Name of the site that it is from. */
                        provider_name?: string;
                        /** @description Address of that site. */
                        provider_url?: string;
                        /** @description Width in pixels. */
                        width?: number;
                        /** @description Height in pixels. */
                        height?: number;
                        /** @description Address of the picture itself, where it is one. */
                        url?: string;
                        /** @description Address of a small picture of it. */
                        thumbnail_url?: string;
                        /** @description Width of the small picture in pixels. */
                        thumbnail_width?: number;
                        /** @description Height of the small picture in pixels. */
                        thumbnail_height?: number;
                    };
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error400"];
        };
    };
    get_calendar_events_v1_doc: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error400"];
        };
    };
    get_calendar_events_v1_events: {
        parameters: {
            query?: {
                /** @description Page of the list. */
                page?: number;
                /** @description Most events on a page, 50 in all. */
                per_page?: number;
                /** @description Only events that end after the beginning of this day. */
                start_date?: string;
                /** @description Only events that start before the end of this day. */
                end_date?: string;
                /** @description Text in title or description. */
                search?: string;
                /** @description Categories, any of them; what is below them counts too. */
                categories?: (number | string)[];
                /** @description Tags, any of them. */
                tags?: (number | string)[];
                /** @description Venues, any of them. */
                venue?: number[];
                /** @description Organizers, any of them. */
                organizer?: number[];
                /** @description Only events that are, or are not, featured. */
                featured?: boolean;
                /** @description Status of publication: one, or a list of them. */
                status?: unknown;
                /** @description Only events whose venue has coordinates. */
                geoloc?: boolean;
                /** @description Latitude of the middle of the search; needs geoloc_lng. */
                geoloc_lat?: unknown;
                /** @description Longitude of the middle of the search; needs geoloc_lat. */
                geoloc_lng?: unknown;
                /** @description Only these events, whatever their dates. */
                include?: number[];
                /** @description Only events with this parent. */
                post_parent?: number;
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Total": components["headers"]["total"];
                    "X-Total-Pages": components["headers"]["totalPages"];
                    "X-Total-Relation": components["headers"]["totalRelation"];
                    Link: components["headers"]["link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Those of this page. */
                        events: components["schemas"]["calendar.events.v1.event"][];
                        /** @description Address of this page, as people would write it. */
                        rest_url: string;
                        /**
                         * Format: uri
                         * @description Address of the next page, if there is one.
                         */
                        next_rest_url?: string;
                        /**
                         * Format: uri
                         * @description Address of the previous page, if there is one.
                         */
                        previous_rest_url?: string;
                        /** @description How many there are in all. */
                        total: number;
                        /** @description How many pages there are. */
                        total_pages: number;
                    };
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error400"];
        };
    };
    post_calendar_events_v1_events: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Number of the author. */
                    author?: number;
                    /** @description Date of publication, on the clock of the site; null for now. */
                    date?: string | null;
                    /** @description Date of publication, in UTC; null for now. */
                    date_utc?: string | null;
                    /** @description Title. */
                    title: string;
                    /** @description Description, as HTML. */
                    description?: string;
                    /** @description Name of the event in its address. */
                    slug?: string;
                    /** @description Short description, as HTML. */
                    excerpt?: string;
                    /** @description Status of publication. */
                    status?: string;
                    /** @description Time zone of the event: a name, or UTC with an offset. */
                    timezone?: string;
                    /**
                     * @description Whether the event takes the whole day.
                     * @default false
                     */
                    all_day?: boolean;
                    /** @description Date and time of the start. */
                    start_date: string;
                    /** @description Date and time of the end. */
                    end_date: string;
                    /** @description Number or address of the featured image, or the image as it is shown; false takes it away. */
                    image?: string | number | boolean | Record<string, unknown> | null;
                    /** @description Cost: a text, a number or a list of them. */
                    cost?: unknown;
                    /** @description Address of the website of the event. */
                    website?: unknown;
                    /** @description Whether a map is shown. */
                    show_map?: boolean;
                    /** @description Whether a link to a map is shown. */
                    show_map_link?: boolean;
                    /** @description Whether calendar views leave the event out. */
                    hide_from_listings?: boolean;
                    /** @description Whether calendar views pin the event. */
                    sticky?: boolean;
                    /** @description Whether the event is featured. */
                    featured?: boolean;
                    /** @description Categories, by number or name. */
                    categories?: unknown;
                    /** @description Tags, by number or name. */
                    tags?: unknown;
                    /** @description Number or data of the venue. */
                    venue?: unknown;
                    /** @description Numbers or data of the organizers. */
                    organizer?: unknown;
                };
            };
        };
        responses: {
            /** @description It was created. */
            201: {
                headers: {
                    Location: components["headers"]["location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["calendar.events.v1.event"];
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    get_calendar_events_v1_events_id: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path: {
                /** @description Identifier of the item. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["calendar.events.v1.event"];
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error400"];
        };
    };
    delete_calendar_events_v1_events_id: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path: {
                /** @description Identifier of the item. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["calendar.events.v1.event"];
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    patch_calendar_events_v1_events_id: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path: {
                /** @description Identifier of the item. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Number of the author. */
                    author?: number;
                    /** @description Date of publication, on the clock of the site; null for now. */
                    date?: string | null;
                    /** @description Date of publication, in UTC; null for now. */
                    date_utc?: string | null;
                    /** @description Title. */
                    title?: string;
                    /** @description Description, as HTML. */
                    description?: string;
                    /** @description Name of the event in its address. */
                    slug?: string;
                    /** @description Short description, as HTML. */
                    excerpt?: string;
                    /** @description Status of publication. */
                    status?: string;
                    /** @description Time zone of the event: a name, or UTC with an offset. */
                    timezone?: string;
                    /**
                     * @description Whether the event takes the whole day.
                     * @default false
                     */
                    all_day?: boolean;
                    /** @description Date and time of the start. */
                    start_date?: string;
                    /** @description Date and time of the end. */
                    end_date?: string;
                    /** @description Number or address of the featured image, or the image as it is shown; false takes it away. */
                    image?: string | number | boolean | Record<string, unknown> | null;
                    /** @description Cost: a text, a number or a list of them. */
                    cost?: unknown;
                    /** @description Address of the website of the event. */
                    website?: unknown;
                    /** @description Whether a map is shown. */
                    show_map?: boolean;
                    /** @description Whether a link to a map is shown. */
                    show_map_link?: boolean;
                    /** @description Whether calendar views leave the event out. */
                    hide_from_listings?: boolean;
                    /** @description Whether calendar views pin the event. */
                    sticky?: boolean;
                    /** @description Whether the event is featured. */
                    featured?: boolean;
                    /** @description Categories, by number or name. */
                    categories?: unknown;
                    /** @description Tags, by number or name. */
                    tags?: unknown;
                    /** @description Number or data of the venue. */
                    venue?: unknown;
                    /** @description Numbers or data of the organizers. */
                    organizer?: unknown;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["calendar.events.v1.event"];
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    get_calendar_events_v1_events_by_slug_slug: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path: {
                /** @description Name of the item in its address. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["calendar.events.v1.event"];
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error400"];
        };
    };
    delete_calendar_events_v1_events_by_slug_slug: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path: {
                /** @description Name of the item in its address. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["calendar.events.v1.event"];
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    patch_calendar_events_v1_events_by_slug_slug: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path: {
                /** @description Name of the event in its address. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Number of the author. */
                    author?: number;
                    /** @description Date of publication, on the clock of the site; null for now. */
                    date?: string | null;
                    /** @description Date of publication, in UTC; null for now. */
                    date_utc?: string | null;
                    /** @description Title. */
                    title?: string;
                    /** @description Description, as HTML. */
                    description?: string;
                    /** @description Short description, as HTML. */
                    excerpt?: string;
                    /** @description Status of publication. */
                    status?: string;
                    /** @description Time zone of the event: a name, or UTC with an offset. */
                    timezone?: string;
                    /**
                     * @description Whether the event takes the whole day.
                     * @default false
                     */
                    all_day?: boolean;
                    /** @description Date and time of the start. */
                    start_date?: string;
                    /** @description Date and time of the end. */
                    end_date?: string;
                    /** @description Number or address of the featured image, or the image as it is shown; false takes it away. */
                    image?: string | number | boolean | Record<string, unknown> | null;
                    /** @description Cost: a text, a number or a list of them. */
                    cost?: unknown;
                    /** @description Address of the website of the event. */
                    website?: unknown;
                    /** @description Whether a map is shown. */
                    show_map?: boolean;
                    /** @description Whether a link to a map is shown. */
                    show_map_link?: boolean;
                    /** @description Whether calendar views leave the event out. */
                    hide_from_listings?: boolean;
                    /** @description Whether calendar views pin the event. */
                    sticky?: boolean;
                    /** @description Whether the event is featured. */
                    featured?: boolean;
                    /** @description Categories, by number or name. */
                    categories?: unknown;
                    /** @description Tags, by number or name. */
                    tags?: unknown;
                    /** @description Number or data of the venue. */
                    venue?: unknown;
                    /** @description Numbers or data of the organizers. */
                    organizer?: unknown;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["calendar.events.v1.event"];
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    get_calendar_events_v1_venues: {
        parameters: {
            query?: {
                /** @description Page of the list. */
                page?: number;
                /** @description Most venues on a page, 50 in all. */
                per_page?: number;
                /** @description Text in title, description or any other field. */
                search?: string;
                /** @description Only venues of this event. */
                event?: number;
                /** @description Only venues with events (true, 1, yes), or without (anything else). */
                has_events?: unknown;
                /** @description Only venues of events that are not over yet. */
                only_with_upcoming?: boolean;
                /** @description Status of publication, or several. */
                status?: unknown;
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Total": components["headers"]["total"];
                    "X-Total-Pages": components["headers"]["totalPages"];
                    "X-Total-Relation": components["headers"]["totalRelation"];
                    Link: components["headers"]["link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Those of this page. */
                        venues: components["schemas"]["calendar.events.v1.venue"][];
                        /** @description Address of this page, as people would write it. */
                        rest_url: string;
                        /**
                         * Format: uri
                         * @description Address of the next page, if there is one.
                         */
                        next_rest_url?: string;
                        /**
                         * Format: uri
                         * @description Address of the previous page, if there is one.
                         */
                        previous_rest_url?: string;
                        /** @description How many there are in all. */
                        total: number;
                        /** @description How many pages there are. */
                        total_pages: number;
                    };
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error400"];
        };
    };
    post_calendar_events_v1_venues: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Number of the author. */
                    author?: number;
                    /** @description Date of publication, on the clock of the site; null for now. */
                    date?: string | null;
                    /** @description Date of publication, in UTC; null for now. */
                    date_utc?: string | null;
                    /** @description Name of the venue. */
                    venue: string;
                    /** @description Description, as HTML. */
                    description?: string;
                    /** @description Status of publication. */
                    status?: string;
                    /** @description Whether a map is shown. */
                    show_map?: string;
                    /** @description Whether a link to a map is shown. */
                    show_map_link?: string;
                    /** @description Street and number. */
                    address?: string;
                    /** @description City. */
                    city?: string;
                    /** @description Country. */
                    country?: string;
                    /** @description Region. */
                    province?: string;
                    /** @description Department. */
                    state?: string;
                    /** @description Postal code. */
                    zip?: string;
                    /** @description Telephone number. */
                    phone?: string;
                    /** @description Region and department together. */
                    stateprovince?: string;
                    /** @description Address of the website. */
                    website?: string;
                    /** @description Number or address of the featured image, or the image as it is shown; false takes it away. */
                    image?: string | number | boolean | Record<string, unknown> | null;
                    /** @description Latitude in degrees; empty takes the coordinates away. */
                    geo_lat?: number | string | null;
                    /** @description Longitude in degrees; empty takes the coordinates away. */
                    geo_lng?: number | string | null;
                };
            };
        };
        responses: {
            /** @description It was created. */
            201: {
                headers: {
                    Location: components["headers"]["location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["calendar.events.v1.venue"];
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    get_calendar_events_v1_venues_id: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path: {
                /** @description Identifier of the item. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["calendar.events.v1.venue"];
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error400"];
        };
    };
    delete_calendar_events_v1_venues_id: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path: {
                /** @description Identifier of the item. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["calendar.events.v1.venue"];
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    patch_calendar_events_v1_venues_id: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path: {
                /** @description Identifier of the item. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Number of the author. */
                    author?: number;
                    /** @description Date of publication, on the clock of the site; null for now. */
                    date?: string | null;
                    /** @description Date of publication, in UTC; null for now. */
                    date_utc?: string | null;
                    /** @description Name of the venue. */
                    venue?: string;
                    /** @description Description, as HTML. */
                    description?: string;
                    /** @description Status of publication. */
                    status?: string;
                    /** @description Whether a map is shown. */
                    show_map?: string;
                    /** @description Whether a link to a map is shown. */
                    show_map_link?: string;
                    /** @description Street and number. */
                    address?: string;
                    /** @description City. */
                    city?: string;
                    /** @description Country. */
                    country?: string;
                    /** @description Region. */
                    province?: string;
                    /** @description Department. */
                    state?: string;
                    /** @description Postal code. */
                    zip?: string;
                    /** @description Telephone number. */
                    phone?: string;
                    /** @description Region and department together. */
                    stateprovince?: string;
                    /** @description Address of the website. */
                    website?: string;
                    /** @description Number or address of the featured image, or the image as it is shown; false takes it away. */
                    image?: string | number | boolean | Record<string, unknown> | null;
                    /** @description Latitude in degrees; empty takes the coordinates away. */
                    geo_lat?: number | string | null;
                    /** @description Longitude in degrees; empty takes the coordinates away. */
                    geo_lng?: number | string | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["calendar.events.v1.venue"];
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    get_calendar_events_v1_venues_by_slug_slug: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path: {
                /** @description Name of the item in its address. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["calendar.events.v1.venue"];
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error400"];
        };
    };
    delete_calendar_events_v1_venues_by_slug_slug: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path: {
                /** @description Name of the item in its address. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["calendar.events.v1.venue"];
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    patch_calendar_events_v1_venues_by_slug_slug: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path: {
                /** @description Name of the item in its address. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Number of the author. */
                    author?: number;
                    /** @description Date of publication, on the clock of the site; null for now. */
                    date?: string | null;
                    /** @description Date of publication, in UTC; null for now. */
                    date_utc?: string | null;
                    /** @description Name of the venue. */
                    venue?: string;
                    /** @description Description, as HTML. */
                    description?: string;
                    /** @description Status of publication. */
                    status?: string;
                    /** @description Whether a map is shown. */
                    show_map?: string;
                    /** @description Whether a link to a map is shown. */
                    show_map_link?: string;
                    /** @description Street and number. */
                    address?: string;
                    /** @description City. */
                    city?: string;
                    /** @description Country. */
                    country?: string;
                    /** @description Region. */
                    province?: string;
                    /** @description Department. */
                    state?: string;
                    /** @description Postal code. */
                    zip?: string;
                    /** @description Telephone number. */
                    phone?: string;
                    /** @description Region and department together. */
                    stateprovince?: string;
                    /** @description Address of the website. */
                    website?: string;
                    /** @description Number or address of the featured image, or the image as it is shown; false takes it away. */
                    image?: string | number | boolean | Record<string, unknown> | null;
                    /** @description Latitude in degrees; empty takes the coordinates away. */
                    geo_lat?: number | string | null;
                    /** @description Longitude in degrees; empty takes the coordinates away. */
                    geo_lng?: number | string | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["calendar.events.v1.venue"];
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    get_calendar_events_v1_organizers: {
        parameters: {
            query?: {
                /** @description Page of the list. */
                page?: number;
                /** @description Most organizers on a page, 50 in all. */
                per_page?: number;
                /** @description Text in title, description or any other field. */
                search?: string;
                /** @description Only organizers of this event. */
                event?: number;
                /** @description Only organizers with events (true, 1, yes), or without (anything else). */
                has_events?: unknown;
                /** @description Only organizers of events that are not over yet. */
                only_with_upcoming?: boolean;
                /** @description Status of publication, or several. */
                status?: unknown;
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Total": components["headers"]["total"];
                    "X-Total-Pages": components["headers"]["totalPages"];
                    "X-Total-Relation": components["headers"]["totalRelation"];
                    Link: components["headers"]["link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Those of this page. */
                        organizers: components["schemas"]["calendar.events.v1.organizer"][];
                        /** @description Address of this page, as people would write it. */
                        rest_url: string;
                        /**
                         * Format: uri
                         * @description Address of the next page, if there is one.
                         */
                        next_rest_url?: string;
                        /**
                         * Format: uri
                         * @description Address of the previous page, if there is one.
                         */
                        previous_rest_url?: string;
                        /** @description How many there are in all. */
                        total: number;
                        /** @description How many pages there are. */
                        total_pages: number;
                    };
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error400"];
        };
    };
    post_calendar_events_v1_organizers: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Number of the author. */
                    author?: number;
                    /** @description Date of publication, on the clock of the site; null for now. */
                    date?: string | null;
                    /** @description Date of publication, in UTC; null for now. */
                    date_utc?: string | null;
                    /** @description Name of the organizer. */
                    organizer: string;
                    /** @description Description, as HTML. */
                    description?: string;
                    /** @description Status of publication. */
                    status?: string;
                    /** @description Telephone number. */
                    phone?: string;
                    /** @description Address of the website. */
                    website?: string;
                    /** @description E-mail address. */
                    email?: string;
                    /** @description Number or address of the featured image, or the image as it is shown; false takes it away. */
                    image?: string | number | boolean | Record<string, unknown> | null;
                };
            };
        };
        responses: {
            /** @description It was created. */
            201: {
                headers: {
                    Location: components["headers"]["location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["calendar.events.v1.organizer"];
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    get_calendar_events_v1_organizers_id: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path: {
                /** @description Identifier of the item. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["calendar.events.v1.organizer"];
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error400"];
        };
    };
    delete_calendar_events_v1_organizers_id: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path: {
                /** @description Identifier of the item. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["calendar.events.v1.organizer"];
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    patch_calendar_events_v1_organizers_id: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path: {
                /** @description Identifier of the item. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Number of the author. */
                    author?: number;
                    /** @description Date of publication, on the clock of the site; null for now. */
                    date?: string | null;
                    /** @description Date of publication, in UTC; null for now. */
                    date_utc?: string | null;
                    /** @description Name of the organizer. */
                    organizer?: string;
                    /** @description Description, as HTML. */
                    description?: string;
                    /** @description Status of publication. */
                    status?: string;
                    /** @description Telephone number. */
                    phone?: string;
                    /** @description Address of the website. */
                    website?: string;
                    /** @description E-mail address. */
                    email?: string;
                    /** @description Number or address of the featured image, or the image as it is shown; false takes it away. */
                    image?: string | number | boolean | Record<string, unknown> | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["calendar.events.v1.organizer"];
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    get_calendar_events_v1_organizers_by_slug_slug: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path: {
                /** @description Name of the item in its address. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["calendar.events.v1.organizer"];
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error400"];
        };
    };
    delete_calendar_events_v1_organizers_by_slug_slug: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path: {
                /** @description Name of the item in its address. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["calendar.events.v1.organizer"];
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    patch_calendar_events_v1_organizers_by_slug_slug: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path: {
                /** @description Name of the item in its address. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Number of the author. */
                    author?: number;
                    /** @description Date of publication, on the clock of the site; null for now. */
                    date?: string | null;
                    /** @description Date of publication, in UTC; null for now. */
                    date_utc?: string | null;
                    /** @description Name of the organizer. */
                    organizer?: string;
                    /** @description Description, as HTML. */
                    description?: string;
                    /** @description Status of publication. */
                    status?: string;
                    /** @description Telephone number. */
                    phone?: string;
                    /** @description Address of the website. */
                    website?: string;
                    /** @description E-mail address. */
                    email?: string;
                    /** @description Number or address of the featured image, or the image as it is shown; false takes it away. */
                    image?: string | number | boolean | Record<string, unknown> | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["calendar.events.v1.organizer"];
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    get_calendar_events_v1_categories: {
        parameters: {
            query?: {
                /** @description Page of the list. */
                page?: number;
                /** @description Most terms on a page, 50 in all. */
                per_page?: number;
                /** @description Text in the name or the slug. */
                search?: string;
                /** @description Terms to leave out. */
                exclude?: number[];
                /** @description Only these terms. */
                include?: number[];
                /** @description Direction: asc or desc. */
                order?: string;
                /** @description Attribute to order by: id, include, name, slug, include_slugs, term_group, description, count. */
                orderby?: string;
                /** @description Whether terms that nothing published carries are left out. */
                hide_empty?: boolean;
                /** @description Only children of this category. */
                parent?: number;
                /** @description Only terms of this event. */
                post?: number;
                /** @description The same as post. */
                event?: number;
                /** @description Only the term with this slug. */
                slug?: string;
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Total": components["headers"]["total"];
                    "X-Total-Pages": components["headers"]["totalPages"];
                    "X-Total-Relation": components["headers"]["totalRelation"];
                    Link: components["headers"]["link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Those of this page. */
                        categories: components["schemas"]["calendar.events.v1.event_category"][];
                        /** @description Address of this page, as people would write it. */
                        rest_url: string;
                        /**
                         * Format: uri
                         * @description Address of the next page, if there is one.
                         */
                        next_rest_url?: string;
                        /**
                         * Format: uri
                         * @description Address of the previous page, if there is one.
                         */
                        previous_rest_url?: string;
                        /** @description How many there are in all. */
                        total: number;
                        /** @description How many pages there are. */
                        total_pages: number;
                    };
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error400"];
        };
    };
    post_calendar_events_v1_categories: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Name. */
                    name: string;
                    /** @description Description, with inline HTML. */
                    description?: string;
                    /** @description Name of the term in addresses. */
                    slug?: string;
                    /** @description Number of the parent category; 0 for none. */
                    parent?: number;
                };
            };
        };
        responses: {
            /** @description It was created. */
            201: {
                headers: {
                    Location: components["headers"]["location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["calendar.events.v1.event_category"];
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    get_calendar_events_v1_categories_id: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path: {
                /** @description Identifier of the item. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["calendar.events.v1.event_category"];
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error400"];
        };
    };
    delete_calendar_events_v1_categories_id: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path: {
                /** @description Identifier of the item. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["calendar.events.v1.event_category"];
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    patch_calendar_events_v1_categories_id: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path: {
                /** @description Identifier of the item. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Name. */
                    name?: string;
                    /** @description Description, with inline HTML. */
                    description?: string;
                    /** @description Name of the term in addresses. */
                    slug?: string;
                    /** @description Number of the parent category; 0 for none. */
                    parent?: number;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["calendar.events.v1.event_category"];
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    get_calendar_events_v1_tags: {
        parameters: {
            query?: {
                /** @description Page of the list. */
                page?: number;
                /** @description Most terms on a page, 50 in all. */
                per_page?: number;
                /** @description Text in the name or the slug. */
                search?: string;
                /** @description Terms to leave out. */
                exclude?: number[];
                /** @description Only these terms. */
                include?: number[];
                /** @description Direction: asc or desc. */
                order?: string;
                /** @description Attribute to order by: id, include, name, slug, include_slugs, term_group, description, count. */
                orderby?: string;
                /** @description Whether terms that nothing published carries are left out. */
                hide_empty?: boolean;
                /** @description Only terms of this event. */
                post?: number;
                /** @description The same as post. */
                event?: number;
                /** @description Only the term with this slug. */
                slug?: string;
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Total": components["headers"]["total"];
                    "X-Total-Pages": components["headers"]["totalPages"];
                    "X-Total-Relation": components["headers"]["totalRelation"];
                    Link: components["headers"]["link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Those of this page. */
                        tags: components["schemas"]["calendar.events.v1.event_tag"][];
                        /** @description Address of this page, as people would write it. */
                        rest_url: string;
                        /**
                         * Format: uri
                         * @description Address of the next page, if there is one.
                         */
                        next_rest_url?: string;
                        /**
                         * Format: uri
                         * @description Address of the previous page, if there is one.
                         */
                        previous_rest_url?: string;
                        /** @description How many there are in all. */
                        total: number;
                        /** @description How many pages there are. */
                        total_pages: number;
                    };
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error400"];
        };
    };
    post_calendar_events_v1_tags: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Name. */
                    name: string;
                    /** @description Description, with inline HTML. */
                    description?: string;
                    /** @description Name of the term in addresses. */
                    slug?: string;
                    /** @description Refused: tags have no parents. */
                    parent?: number;
                };
            };
        };
        responses: {
            /** @description It was created. */
            201: {
                headers: {
                    Location: components["headers"]["location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["calendar.events.v1.event_tag"];
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    get_calendar_events_v1_tags_id: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path: {
                /** @description Identifier of the item. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["calendar.events.v1.event_tag"];
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error400"];
        };
    };
    delete_calendar_events_v1_tags_id: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path: {
                /** @description Identifier of the item. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["calendar.events.v1.event_tag"];
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    patch_calendar_events_v1_tags_id: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path: {
                /** @description Identifier of the item. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Name. */
                    name?: string;
                    /** @description Description, with inline HTML. */
                    description?: string;
                    /** @description Name of the term in addresses. */
                    slug?: string;
                    /** @description Refused: tags have no parents. */
                    parent?: number;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["calendar.events.v1.event_tag"];
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    get_calendar_events_v1_texts: {
        parameters: {
            query: {
                /** @description What they are texts of. */
                type: "event" | "venue" | "organizer";
                /** @description Numbers of what is asked for. */
                include: number[];
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Number of the event, venue or organizer. */
                        id: number;
                        /** @description Title of an event. */
                        title?: string;
                        /** @description Description. */
                        description: string;
                        /** @description Excerpt of an event. */
                        excerpt?: string;
                    }[];
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error400"];
        };
    };
    post_calendar_event_aggregator_v1_import_import_id_batch: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path: {
                /** @description Name of the import. */
                import_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Hash of the next expected batch, as the site gave it before. */
                    batch_hash: string;
                    /** @description Current state of the import. */
                    status: Record<string, unknown>;
                    /** @description How much of the import is done. */
                    percentage_complete: number;
                    /** @description Seconds from the end of one batch to the start of the next, as set on the server. */
                    interval?: number;
                    /** @description The events of this batch, as a list of objects. */
                    events?: unknown;
                    /** @description Where the events come from; taken from the first batch of an import that it registers. */
                    origin?: string;
                    /** @description Status of created events; taken from the first batch of an import that it registers. */
                    default_status?: string;
                    /**
                     * @description What becomes of fields that people changed: overwritten, left with the whole event, or filled only where they are empty; taken from the first batch of an import that it registers.
                     * @enum {string}
                     */
                    authority?: "overwrite" | "leave" | "fill";
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The batch was taken.
                         * @constant
                         */
                        status: "success";
                        /** @description What was done so far, by kind. */
                        activity: {
                            [key: string]: Record<string, unknown>;
                        };
                        /** @description Seconds until the next batch is welcome. */
                        interval: number;
                        /** @description Hash of the next batch; absent after the last one. */
                        next_batch_hash?: string;
                    };
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    post_calendar_event_aggregator_v1_import_import_id_state: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path: {
                /** @description Name of the import. */
                import_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Hash of the next expected batch, as the site gave it before. */
                    batch_hash: string;
                    /**
                     * @description State of the import.
                     * @enum {string}
                     */
                    status: "success" | "failed" | "pending";
                    /** @description Message for people, not localised. */
                    message: string;
                    /** @description Name of the message, for localised texts. */
                    message_slug: string;
                    /** @description How much of the import is done. */
                    percentage_complete: number;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The report was taken.
                         * @constant
                         */
                        status: "success";
                    };
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    get_contact_form_v1_contact_forms: {
        parameters: {
            query?: {
                /** @description Most forms to answer, 1000 in all; all of them without it, and with -1. */
                per_page?: number;
                /** @description How many to skip; only with per_page. */
                offset?: number;
                /** @description Direction of the order. */
                order?: string;
                /** @description What the list is ordered by. */
                orderby?: string;
                /** @description Text in the title. */
                search?: string;
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Number of the form. */
                        id: number;
                        /** @description Name of the form in addresses. */
                        slug: string;
                        /** @description Title of the form. */
                        title: string;
                        /** @description Language of the form. */
                        locale: string;
                    }[];
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error400"];
        };
    };
    post_contact_form_v1_contact_forms: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Refused: ids are given by the service. */
                    id?: unknown;
                    /** @description Anything but `save` shows what the form would be, and keeps nothing. */
                    context?: string | null;
                    /** @description Title of the form. */
                    title?: string | null;
                    /** @description Language of the form, such as en_US. */
                    locale?: string | null;
                    /** @description The form, in form tags. */
                    form?: string | null;
                    /** @description Mail that is sent; what is left out stays. */
                    mail?: Record<string, unknown> | null;
                    /** @description Second mail, sent where it is active; what is left out stays. */
                    mail_2?: Record<string, unknown> | null;
                    /** @description Texts for results and faults; what is left out stays. */
                    messages?: Record<string, unknown> | null;
                    /** @description Lines of the form `name: value`. */
                    additional_settings?: string | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["contact-form.v1.contact-form"];
                };
            };
            /** @description It was created. */
            201: {
                headers: {
                    Location: components["headers"]["location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["contact-form.v1.contact-form"];
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    get_contact_form_v1_contact_forms_id: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path: {
                /** @description Identifier of the form. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["contact-form.v1.contact-form"];
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error400"];
        };
    };
    delete_contact_form_v1_contact_forms_id: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path: {
                /** @description Identifier of the form. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description It is gone for good.
                         * @constant
                         */
                        deleted: true;
                    };
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    patch_contact_form_v1_contact_forms_id: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path: {
                /** @description Identifier of the form. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Anything but `save` shows what the form would be, and keeps nothing. */
                    context?: string | null;
                    /** @description Title of the form. */
                    title?: string | null;
                    /** @description Language of the form, such as en_US. */
                    locale?: string | null;
                    /** @description The form, in form tags. */
                    form?: string | null;
                    /** @description Mail that is sent; what is left out stays. */
                    mail?: Record<string, unknown> | null;
                    /** @description Second mail, sent where it is active; what is left out stays. */
                    mail_2?: Record<string, unknown> | null;
                    /** @description Texts for results and faults; what is left out stays. */
                    messages?: Record<string, unknown> | null;
                    /** @description Lines of the form `name: value`. */
                    additional_settings?: string | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["contact-form.v1.contact-form"];
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    post_contact_form_v1_contact_forms_id_feedback: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path: {
                /** @description Identifier of the form. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Selector of the form in its page, or empty. */
                        into: string;
                        /**
                         * @description What became of it.
                         * @enum {unknown}
                         */
                        status: "mail_sent" | "mail_failed" | "validation_failed" | "acceptance_missing" | "spam" | "aborted" | "error";
                        /** @description The same in words of the form, for whoever sent it. */
                        message: string;
                        /** @description What has to be filled in otherwise. */
                        invalid_fields: {
                            /** @description Name of the field. */
                            field: string;
                            /** @description What is wrong with it, for whoever sent it. */
                            message: string;
                            /** @description Id of the control in the page, or null. */
                            idref: string | null;
                            /** @description Id of the place in the page that shows the message. */
                            error_id: string;
                        }[];
                        /** @description The same for older clients. */
                        invalidFields: {
                            /** @description Selector of the field in its page. */
                            into: string;
                            /** @description What is wrong with it, for whoever sent it. */
                            message: string;
                            /** @description Id of the control in the page, or null. */
                            idref: string | null;
                        }[];
                        /** @description Digest of what was sent. */
                        posted_data_hash: string;
                        /** @description Fresh quiz questions, by the names of fields. */
                        quiz?: {
                            [key: string]: [
                                string,
                                string
                            ];
                        };
                        /** @description Fresh captchas, by the names of fields. */
                        captcha?: {
                            [key: string]: [
                                string,
                                string
                            ];
                        };
                    };
                    "text/html": string;
                };
            };
            /** @description Done. */
            303: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Arguments are missing or wrong, or the request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "text/html": string;
                };
            };
            /** @description The credentials are wrong, or nobody is logged in where that is needed. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["challenge"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "text/html": string;
                };
            };
            /** @description The caller has not the right to do or see this. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "text/html": string;
                };
            };
            /** @description There is no such thing, or no such page of a list. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "text/html": string;
                };
            };
            /** @description The body did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "text/html": string;
                };
            };
            /** @description Something of the kind exists, or another request changed the same thing at the same time. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "text/html": string;
                };
            };
            /** @description What is read is not what the request names as its condition, a write has one, or the body did not arrive whole. */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "text/html": string;
                };
            };
            /** @description The body, or what it holds, is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "text/html": string;
                };
            };
            /** @description The body is of a type or an encoding that is not taken. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "text/html": string;
                };
            };
            /** @description What was sent was read, and cannot be taken as it is. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "text/html": string;
                };
            };
            /** @description Too many requests. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["retryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "text/html": string;
                };
            };
            /** @description A fault of the site, which is logged. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "text/html": string;
                };
            };
            /** @description A service gave no valid answer. Whether it did what was asked is not known. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "text/html": string;
                };
            };
            /** @description Something that is needed is away or too busy. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["retryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "text/html": string;
                };
            };
            /** @description The answer took too long. */
            504: {
                headers: {
                    "Retry-After": components["headers"]["retryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "text/html": string;
                };
            };
            /** @description There is no room left to store anything. */
            507: {
                headers: {
                    "Retry-After": components["headers"]["retryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "text/html": string;
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    get_contact_form_v1_contact_forms_id_refill: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path: {
                /** @description Identifier of the form. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Fresh quiz questions, by the names of fields. */
                        quiz?: {
                            [key: string]: [
                                string,
                                string
                            ];
                        };
                        /** @description Fresh captchas, by the names of fields. */
                        captcha?: {
                            [key: string]: [
                                string,
                                string
                            ];
                        };
                    } | unknown[];
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error400"];
        };
    };
    get_spamfilter_v1_key: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": string | false;
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error400"];
        };
    };
    delete_spamfilter_v1_key: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": true;
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    patch_spamfilter_v1_key: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Key of 12 letters and digits. */
                    key: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": string;
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    get_spamfilter_v1_settings: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["spamfilter.v1.spamfilter-settings"];
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error400"];
        };
    };
    patch_spamfilter_v1_settings: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Whether the worst spam is rejected outright instead of going to the spam folder. */
                    spamfilter_strictness?: boolean;
                    /** @description Whether the list of comments shows, beside each author, how many of theirs were approved. */
                    spamfilter_show_user_comments_approved?: boolean;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["spamfilter.v1.spamfilter-settings"];
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    get_spamfilter_v1_stats: {
        parameters: {
            query?: {
                /** @description Period of the statistics: 60-days, 6-months or all. */
                interval?: string;
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: {
                            /** @description What was spam. */
                            spam: number;
                            /** @description What was none. */
                            ham: number;
                            /** @description Spam that was let through. */
                            missed_spam: number;
                            /** @description What was taken for spam and was none. */
                            false_positives: number;
                            /** @description Per cent of what was judged right. */
                            accuracy: number;
                            /** @description Seconds that nobody spent on spam. */
                            time_saved: number;
                            /** @description The same by day or month, in UTC. */
                            breakdown: {
                                [key: string]: {
                                    /** @description What was spam. */
                                    spam: number;
                                    /** @description What was none. */
                                    ham: number;
                                    /** @description Spam that was let through. */
                                    missed_spam: number;
                                    /** @description What was taken for spam and was none. */
                                    false_positives: number;
                                    /** @description First day. */
                                    da: string;
                                };
                            };
                        };
                    };
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error400"];
        };
    };
    get_spamfilter_v1_stats_interval: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path: {
                /** @description Period of the statistics: d for 60-days, m for 6-months, a for all. */
                interval: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: {
                            /** @description What was spam. */
                            spam: number;
                            /** @description What was none. */
                            ham: number;
                            /** @description Spam that was let through. */
                            missed_spam: number;
                            /** @description What was taken for spam and was none. */
                            false_positives: number;
                            /** @description Per cent of what was judged right. */
                            accuracy: number;
                            /** @description Seconds that nobody spent on spam. */
                            time_saved: number;
                            /** @description The same by day or month, in UTC. */
                            breakdown: {
                                [key: string]: {
                                    /** @description What was spam. */
                                    spam: number;
                                    /** @description What was none. */
                                    ham: number;
                                    /** @description Spam that was let through. */
                                    missed_spam: number;
                                    /** @description What was taken for spam and was none. */
                                    false_positives: number;
                                    /** @description First day. */
                                    da: string;
                                };
                            };
                        };
                    };
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error400"];
        };
    };
    get_seo_v1_configurator: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description What is asked, by name. */
                        fields: {
                            [key: string]: {
                                /** @description How clients show it. */
                                componentName: string;
                                /** @description What that takes to be shown. */
                                properties: Record<string, unknown>;
                                /** @description Shown only where another field has this value. */
                                requires?: {
                                    /** @description Name of the other field. */
                                    field: string;
                                    /** @description The value that it must have. */
                                    value: string;
                                };
                                /** @description The answer as it stands. */
                                data?: string;
                            };
                        };
                        /** @description The steps in their order, by name. */
                        steps: {
                            [key: string]: {
                                /** @description Heading of the step. */
                                title: string;
                                /** @description Names of the fields that it asks for. */
                                fields: string[];
                                /** @description Whether the way back and forth is hidden. */
                                hideNavigation?: boolean;
                                /** @description Whether it takes the whole width. */
                                fullWidth?: boolean;
                            };
                        };
                        /** @description Words of the form in the language of the site. */
                        translations: Record<string, unknown>;
                    };
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error400"];
        };
    };
    post_seo_v1_configurator: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, unknown>;
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: {
                            /** @description Whether the answer was taken. */
                            result: boolean;
                            /** @description The answer as it stands now. */
                            data: string;
                        };
                    } | unknown[];
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    get_seo_v1_reindex_posts: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": number;
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error400"];
        };
    };
    get_seo_v1_external_check: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description What was found; false where the site is not to be looked at. */
                        external_check: false | {
                            /** @description How well it went, in one word. */
                            score: string;
                            /** @description The same in words for people. */
                            label: string;
                            /** @description Whether search engines can fetch the site. */
                            can_fetch: boolean;
                        };
                    };
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error400"];
        };
    };
    get_seo_v1_indexables_object_type_object_id: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path: {
                /** @description Kind of the object: post or term. */
                object_type: string;
                /** @description Number of the object. */
                object_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Number of the object. */
                        object_id: number;
                        /**
                         * @description Kind of the object.
                         * @enum {unknown}
                         */
                        object_type: "post" | "term";
                        /** @description Its type, or its taxonomy. */
                        object_subtype: string;
                        /** @description Address of the object. */
                        permalink: string | null;
                        /** @description Address that search engines are to take for it. */
                        canonical: string | null;
                        /** @description Title for search engines. */
                        title: string | null;
                        /** @description Description for search engines. */
                        description: string | null;
                        /** @description Title in the way from the home page to it. */
                        breadcrumb_title: string | null;
                        /** @description Title where the page is shared. */
                        og_title: string | null;
                        /** @description Description where the page is shared. */
                        og_description: string | null;
                        /** @description Picture where the page is shared. */
                        og_image: string | null;
                        /** @description Title on cards. */
                        twitter_title: string | null;
                        /** @description Description on cards. */
                        twitter_description: string | null;
                        /** @description Picture on cards. */
                        twitter_image: string | null;
                        /** @description Whether search engines are asked to leave it out: true, or null where they are not. */
                        is_robots_noindex: boolean | null;
                        /** @description Whether they are asked not to follow its links. */
                        is_robots_nofollow: boolean | null;
                        /** @description Whether they are asked to keep no copy. */
                        is_robots_noarchive: boolean | null;
                        /** @description Whether they are asked to leave out its pictures. */
                        is_robots_noimageindex: boolean | null;
                        /** @description Whether they are asked to quote nothing of it. */
                        is_robots_nosnippet: boolean | null;
                        /** @description What it is to be found by. */
                        primary_focus_keyword: string | null;
                        /** @description How well it is written for that, up to 100; 0 where that is not known. */
                        primary_focus_keyword_score: number;
                        /** @description How well it can be read, up to 100; 0 where that is not known. */
                        readability_score: number;
                        /** @description Whether it is one of the most important of the site. */
                        is_cornerstone: boolean;
                        /** @description How many links lead from it to others of the site. */
                        link_count: number | null;
                        /** @description How many links of the site lead to it. */
                        incoming_link_count: number | null;
                        /** @description Always null. */
                        created_at: null;
                        /** @description Always null. */
                        updated_at: null;
                    };
                };
            };
            304: components["responses"]["NotModified"];
            /** @description Arguments are missing or wrong, or the request cannot be read. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] | string;
                };
            };
            /** @description There is no such thing, or no such page of a list. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] | string;
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    get_seo_v1_statistics: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description A sentence on how the posts do, as HTML. */
                        header: string;
                        /** @description How many posts there are of each rank. */
                        seo_scores: {
                            /**
                             * @description The rank.
                             * @enum {unknown}
                             */
                            seo_rank: "good" | "ok" | "bad" | "na" | "noindex";
                            /** @description The rank in words for people, as HTML. */
                            label: string;
                            /** @description How many posts have it. */
                            count: number;
                            /** @description Where these posts are listed, written for HTML. */
                            link: string;
                        }[];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error400"];
        };
    };
    get_core_v2_posts: {
        parameters: {
            query?: {
                /** @description Which fields are returned. */
                context?: "view" | "embed" | "edit";
                /** @description Page of the list. */
                page?: number;
                /** @description Most posts on a page. */
                per_page?: number;
                /** @description Keeps what contains all these words or "phrases", and none of the -excluded. */
                search?: string;
                /** @description Keeps what was published after this ISO 8601 date. */
                after?: string;
                /** @description Keeps what was published before this ISO 8601 date. */
                before?: string;
                /** @description Keeps posts of these authors. */
                author?: number[];
                /** @description Leaves out posts of these authors. */
                author_exclude?: number[];
                /** @description Leaves out these ids. */
                exclude?: number[];
                /** @description Keeps these ids. */
                include?: number[];
                /** @description Skips so many items; page then has no effect. */
                offset?: number;
                /** @description Direction of the order. */
                order?: "asc" | "desc";
                /** @description What the order goes by. */
                orderby?: "author" | "date" | "id" | "include" | "modified" | "parent" | "relevance" | "slug" | "include_slugs" | "title";
                /** @description Keeps what has one of these slugs. */
                slug?: string[];
                /** @description Keeps what has one of these statuses. */
                status?: ("publish" | "future" | "draft" | "pending" | "private" | "trash" | "auto-draft" | "inherit" | "request-pending" | "request-confirmed" | "request-failed" | "request-completed" | "calendar-ea-success" | "calendar-ea-failed" | "calendar-ea-schedule" | "calendar-ea-pending" | "calendar-ea-draft" | "calendar-ignored" | "any")[];
                /** @description Keeps posts with one of these categories. */
                categories?: number[];
                /** @description Leaves out posts with one of these categories. */
                categories_exclude?: number[];
                /** @description Keeps posts with one of these tags. */
                tags?: number[];
                /** @description Leaves out posts with one of these tags. */
                tags_exclude?: number[];
                /** @description Keeps pinned posts (true) or those that are not (false). */
                sticky?: boolean;
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
                /** @description Relations whose links are followed; without a value all that can be. */
                _embed?: components["parameters"]["embed"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Total": components["headers"]["total"];
                    "X-Total-Pages": components["headers"]["totalPages"];
                    "X-Total-Relation": components["headers"]["totalRelation"];
                    Link: components["headers"]["link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["core.v2.post"][];
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error400"];
        };
    };
    post_core_v2_posts: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
                /** @description Relations whose links are followed; without a value all that can be. */
                _embed?: components["parameters"]["embed"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Publication date in the time zone of the site; null for now. */
                    date?: string | null;
                    /** @description Publication date in GMT; null for now. */
                    date_gmt?: string | null;
                    /** @description Alphanumeric identifier, unique for its type; empty makes one from the title. */
                    slug?: string;
                    /**
                     * @description Status to give.
                     * @enum {string}
                     */
                    status?: "publish" | "future" | "draft" | "pending" | "private" | "calendar-ea-success" | "calendar-ea-failed" | "calendar-ea-schedule" | "calendar-ea-pending" | "calendar-ea-draft" | "calendar-ignored";
                    /** @description Title, as text or as {raw}. */
                    title?: Record<string, unknown> | string | number;
                    /** @description User id of the author. */
                    author?: number;
                    /**
                     * @description Whether comments are open.
                     * @enum {string}
                     */
                    comment_status?: "open" | "closed";
                    /**
                     * @description Whether pings are open.
                     * @enum {string}
                     */
                    ping_status?: "open" | "closed";
                    /** @description Meta fields; none is registered. */
                    meta?: Record<string, unknown>;
                    /** @description Theme file used to render; empty for the default. */
                    template?: string;
                    /** @description Protects content and excerpt; empty opens them. */
                    password?: string;
                    /** @description Content, as text or as {raw}. */
                    content?: Record<string, unknown> | string | number;
                    /** @description Excerpt, as text or as {raw}. */
                    excerpt?: Record<string, unknown> | string | number;
                    /** @description Media id of the featured image, 0 for none. */
                    featured_media?: number;
                    /**
                     * @description Format.
                     * @enum {string}
                     */
                    format?: "standard" | "aside" | "chat" | "gallery" | "link" | "image" | "quote" | "status" | "video" | "audio";
                    /** @description Whether the post is pinned. */
                    sticky?: boolean;
                    /** @description Category ids. */
                    categories?: number[];
                    /** @description Tag ids. */
                    tags?: number[];
                    /** @description Refused: ids are given by the service. */
                    id?: unknown;
                };
            };
        };
        responses: {
            /** @description It was created. */
            201: {
                headers: {
                    Location: components["headers"]["location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["core.v2.post"];
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    get_core_v2_posts_id: {
        parameters: {
            query?: {
                /** @description Which fields are returned. */
                context?: "view" | "embed" | "edit";
                /** @description Password of a protected post. */
                password?: string;
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
                /** @description Relations whose links are followed; without a value all that can be. */
                _embed?: components["parameters"]["embed"];
            };
            header?: never;
            path: {
                /** @description Identifier of the post. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["core.v2.post"];
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error400"];
        };
    };
    delete_core_v2_posts_id: {
        parameters: {
            query?: {
                /** @description Deletes for good instead of moving to the trash. */
                force?: boolean;
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
                /** @description Relations whose links are followed; without a value all that can be. */
                _embed?: components["parameters"]["embed"];
            };
            header?: never;
            path: {
                /** @description Identifier of the post. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["core.v2.post"] | {
                        /**
                         * @description It is gone for good.
                         * @constant
                         */
                        deleted: true;
                        /** @description What it was. */
                        previous: components["schemas"]["core.v2.post"];
                    };
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    patch_core_v2_posts_id: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
                /** @description Relations whose links are followed; without a value all that can be. */
                _embed?: components["parameters"]["embed"];
            };
            header?: never;
            path: {
                /** @description Identifier of the post. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Publication date in the time zone of the site; null for now. */
                    date?: string | null;
                    /** @description Publication date in GMT; null for now. */
                    date_gmt?: string | null;
                    /** @description Alphanumeric identifier, unique for its type; empty makes one from the title. */
                    slug?: string;
                    /**
                     * @description Status to give.
                     * @enum {string}
                     */
                    status?: "publish" | "future" | "draft" | "pending" | "private" | "calendar-ea-success" | "calendar-ea-failed" | "calendar-ea-schedule" | "calendar-ea-pending" | "calendar-ea-draft" | "calendar-ignored";
                    /** @description Title, as text or as {raw}. */
                    title?: Record<string, unknown> | string | number;
                    /** @description User id of the author. */
                    author?: number;
                    /**
                     * @description Whether comments are open.
                     * @enum {string}
                     */
                    comment_status?: "open" | "closed";
                    /**
                     * @description Whether pings are open.
                     * @enum {string}
                     */
                    ping_status?: "open" | "closed";
                    /** @description Meta fields; none is registered. */
                    meta?: Record<string, unknown>;
                    /** @description Theme file used to render; empty for the default. */
                    template?: string;
                    /** @description Protects content and excerpt; empty opens them. */
                    password?: string;
                    /** @description Content, as text or as {raw}. */
                    content?: Record<string, unknown> | string | number;
                    /** @description Excerpt, as text or as {raw}. */
                    excerpt?: Record<string, unknown> | string | number;
                    /** @description Media id of the featured image, 0 for none. */
                    featured_media?: number;
                    /**
                     * @description Format.
                     * @enum {string}
                     */
                    format?: "standard" | "aside" | "chat" | "gallery" | "link" | "image" | "quote" | "status" | "video" | "audio";
                    /** @description Whether the post is pinned. */
                    sticky?: boolean;
                    /** @description Category ids. */
                    categories?: number[];
                    /** @description Tag ids. */
                    tags?: number[];
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["core.v2.post"];
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    get_core_v2_pages: {
        parameters: {
            query?: {
                /** @description Which fields are returned. */
                context?: "view" | "embed" | "edit";
                /** @description Page of the list. */
                page?: number;
                /** @description Most pages on a page. */
                per_page?: number;
                /** @description Keeps what contains all these words or "phrases", and none of the -excluded. */
                search?: string;
                /** @description Keeps what was published after this ISO 8601 date. */
                after?: string;
                /** @description Keeps what was published before this ISO 8601 date. */
                before?: string;
                /** @description Keeps pages of these authors. */
                author?: number[];
                /** @description Leaves out pages of these authors. */
                author_exclude?: number[];
                /** @description Leaves out these ids. */
                exclude?: number[];
                /** @description Keeps these ids. */
                include?: number[];
                /** @description Skips so many items; page then has no effect. */
                offset?: number;
                /** @description Direction of the order. */
                order?: "asc" | "desc";
                /** @description What the order goes by. */
                orderby?: "author" | "date" | "id" | "include" | "modified" | "parent" | "relevance" | "slug" | "include_slugs" | "title" | "menu_order";
                /** @description Keeps what has one of these slugs. */
                slug?: string[];
                /** @description Keeps what has one of these statuses. */
                status?: ("publish" | "future" | "draft" | "pending" | "private" | "trash" | "auto-draft" | "inherit" | "request-pending" | "request-confirmed" | "request-failed" | "request-completed" | "calendar-ea-success" | "calendar-ea-failed" | "calendar-ea-schedule" | "calendar-ea-pending" | "calendar-ea-draft" | "calendar-ignored" | "any")[];
                /** @description Keeps pages with this order number. */
                menu_order?: number;
                /** @description Keeps what is directly below these parents; 0 is the top level. */
                parent?: number[];
                /** @description Leaves out what is directly below these parents. */
                parent_exclude?: number[];
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
                /** @description Relations whose links are followed; without a value all that can be. */
                _embed?: components["parameters"]["embed"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Total": components["headers"]["total"];
                    "X-Total-Pages": components["headers"]["totalPages"];
                    "X-Total-Relation": components["headers"]["totalRelation"];
                    Link: components["headers"]["link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["core.v2.page"][];
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error400"];
        };
    };
    post_core_v2_pages: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
                /** @description Relations whose links are followed; without a value all that can be. */
                _embed?: components["parameters"]["embed"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Publication date in the time zone of the site; null for now. */
                    date?: string | null;
                    /** @description Publication date in GMT; null for now. */
                    date_gmt?: string | null;
                    /** @description Alphanumeric identifier, unique for its type; empty makes one from the title. */
                    slug?: string;
                    /**
                     * @description Status to give.
                     * @enum {string}
                     */
                    status?: "publish" | "future" | "draft" | "pending" | "private" | "calendar-ea-success" | "calendar-ea-failed" | "calendar-ea-schedule" | "calendar-ea-pending" | "calendar-ea-draft" | "calendar-ignored";
                    /** @description Title, as text or as {raw}. */
                    title?: Record<string, unknown> | string | number;
                    /** @description User id of the author. */
                    author?: number;
                    /**
                     * @description Whether comments are open.
                     * @enum {string}
                     */
                    comment_status?: "open" | "closed";
                    /**
                     * @description Whether pings are open.
                     * @enum {string}
                     */
                    ping_status?: "open" | "closed";
                    /** @description Meta fields; none is registered. */
                    meta?: Record<string, unknown>;
                    /** @description Theme file used to render; empty for the default. */
                    template?: string;
                    /** @description Protects content and excerpt; empty opens them. */
                    password?: string;
                    /** @description Content, as text or as {raw}. */
                    content?: Record<string, unknown> | string | number;
                    /** @description Excerpt, as text or as {raw}. */
                    excerpt?: Record<string, unknown> | string | number;
                    /** @description Media id of the featured image, 0 for none. */
                    featured_media?: number;
                    /** @description Id of the parent page, 0 for none. */
                    parent?: number;
                    /** @description Order relative to other pages. */
                    menu_order?: number;
                    /** @description Refused: ids are given by the service. */
                    id?: unknown;
                };
            };
        };
        responses: {
            /** @description It was created. */
            201: {
                headers: {
                    Location: components["headers"]["location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["core.v2.page"];
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    get_core_v2_pages_id: {
        parameters: {
            query?: {
                /** @description Which fields are returned. */
                context?: "view" | "embed" | "edit";
                /** @description Password of a protected post. */
                password?: string;
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
                /** @description Relations whose links are followed; without a value all that can be. */
                _embed?: components["parameters"]["embed"];
            };
            header?: never;
            path: {
                /** @description Identifier of the page. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["core.v2.page"];
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error400"];
        };
    };
    delete_core_v2_pages_id: {
        parameters: {
            query?: {
                /** @description Deletes for good instead of moving to the trash. */
                force?: boolean;
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
                /** @description Relations whose links are followed; without a value all that can be. */
                _embed?: components["parameters"]["embed"];
            };
            header?: never;
            path: {
                /** @description Identifier of the page. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["core.v2.page"] | {
                        /**
                         * @description It is gone for good.
                         * @constant
                         */
                        deleted: true;
                        /** @description What it was. */
                        previous: components["schemas"]["core.v2.page"];
                    };
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    patch_core_v2_pages_id: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
                /** @description Relations whose links are followed; without a value all that can be. */
                _embed?: components["parameters"]["embed"];
            };
            header?: never;
            path: {
                /** @description Identifier of the page. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Publication date in the time zone of the site; null for now. */
                    date?: string | null;
                    /** @description Publication date in GMT; null for now. */
                    date_gmt?: string | null;
                    /** @description Alphanumeric identifier, unique for its type; empty makes one from the title. */
                    slug?: string;
                    /**
                     * @description Status to give.
                     * @enum {string}
                     */
                    status?: "publish" | "future" | "draft" | "pending" | "private" | "calendar-ea-success" | "calendar-ea-failed" | "calendar-ea-schedule" | "calendar-ea-pending" | "calendar-ea-draft" | "calendar-ignored";
                    /** @description Title, as text or as {raw}. */
                    title?: Record<string, unknown> | string | number;
                    /** @description User id of the author. */
                    author?: number;
                    /**
                     * @description Whether comments are open.
                     * @enum {string}
                     */
                    comment_status?: "open" | "closed";
                    /**
                     * @description Whether pings are open.
                     * @enum {string}
                     */
                    ping_status?: "open" | "closed";
                    /** @description Meta fields; none is registered. */
                    meta?: Record<string, unknown>;
                    /** @description Theme file used to render; empty for the default. */
                    template?: string;
                    /** @description Protects content and excerpt; empty opens them. */
                    password?: string;
                    /** @description Content, as text or as {raw}. */
                    content?: Record<string, unknown> | string | number;
                    /** @description Excerpt, as text or as {raw}. */
                    excerpt?: Record<string, unknown> | string | number;
                    /** @description Media id of the featured image, 0 for none. */
                    featured_media?: number;
                    /** @description Id of the parent page, 0 for none. */
                    parent?: number;
                    /** @description Order relative to other pages. */
                    menu_order?: number;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["core.v2.page"];
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    get_core_v2_media: {
        parameters: {
            query?: {
                /** @description Which fields are returned. */
                context?: "view" | "embed" | "edit";
                /** @description Page of the list. */
                page?: number;
                /** @description Most media on a page. */
                per_page?: number;
                /** @description Keeps what contains all these words or "phrases", and none of the -excluded. */
                search?: string;
                /** @description Keeps what was published after this ISO 8601 date. */
                after?: string;
                /** @description Keeps what was published before this ISO 8601 date. */
                before?: string;
                /** @description Keeps media of these authors. */
                author?: number[];
                /** @description Leaves out media of these authors. */
                author_exclude?: number[];
                /** @description Leaves out these ids. */
                exclude?: number[];
                /** @description Keeps these ids. */
                include?: number[];
                /** @description Skips so many items; page then has no effect. */
                offset?: number;
                /** @description Direction of the order. */
                order?: "asc" | "desc";
                /** @description What the order goes by. */
                orderby?: "author" | "date" | "id" | "include" | "modified" | "parent" | "relevance" | "slug" | "include_slugs" | "title";
                /** @description Keeps what has one of these slugs. */
                slug?: string[];
                /** @description Keeps what has one of these statuses; private and trash take rights. */
                status?: ("inherit" | "private" | "trash")[];
                /** @description Keeps what is directly below these parents; 0 is the top level. */
                parent?: number[];
                /** @description Leaves out what is directly below these parents. */
                parent_exclude?: number[];
                /** @description Keeps files of this kind. */
                media_type?: "image" | "video" | "text" | "application" | "audio";
                /** @description Keeps files of this type; a type that cannot be uploaded has no effect. */
                mime_type?: string;
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
                /** @description Relations whose links are followed; without a value all that can be. */
                _embed?: components["parameters"]["embed"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Total": components["headers"]["total"];
                    "X-Total-Pages": components["headers"]["totalPages"];
                    "X-Total-Relation": components["headers"]["totalRelation"];
                    Link: components["headers"]["link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["core.v2.attachment"][];
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error400"];
        };
    };
    post_core_v2_media: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
                /** @description Relations whose links are followed; without a value all that can be. */
                _embed?: components["parameters"]["embed"];
            };
            header?: {
                /** @description Names the file where it is the whole body, as in `attachment; filename="cat.png"`. */
                "Content-Disposition"?: components["parameters"]["contentDisposition"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description The bytes of the file.
                     */
                    file: string;
                    /** @description Publication date in the time zone of the site; null for now. */
                    date?: string | null;
                    /** @description Publication date in GMT; null for now. */
                    date_gmt?: string | null;
                    /** @description Alphanumeric identifier, unique for its type; empty makes one from the title. */
                    slug?: string;
                    /**
                     * @description Status to give.
                     * @enum {string}
                     */
                    status?: "publish" | "future" | "draft" | "pending" | "private" | "calendar-ea-success" | "calendar-ea-failed" | "calendar-ea-schedule" | "calendar-ea-pending" | "calendar-ea-draft" | "calendar-ignored";
                    /** @description Title, as text or as {raw}. */
                    title?: Record<string, unknown> | string | number;
                    /** @description User id of the author. */
                    author?: number;
                    /**
                     * @description Whether comments are open.
                     * @enum {string}
                     */
                    comment_status?: "open" | "closed";
                    /**
                     * @description Whether pings are open.
                     * @enum {string}
                     */
                    ping_status?: "open" | "closed";
                    /** @description Meta fields; none is registered. */
                    meta?: Record<string, unknown>;
                    /** @description Theme file used to render; empty for the default. */
                    template?: string;
                    /** @description Text offered when the picture cannot be displayed. */
                    alt_text?: string;
                    /** @description Caption, as text or as {raw}. */
                    caption?: Record<string, unknown> | string | number;
                    /** @description Description, as text or as {raw}. */
                    description?: Record<string, unknown> | string | number;
                    /** @description Id of the post to attach it to, 0 for none. */
                    post?: number | null;
                    /** @description Refused: ids are given by the service. */
                    id?: unknown;
                };
            };
        };
        responses: {
            /** @description It was created. */
            201: {
                headers: {
                    Location: components["headers"]["location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["core.v2.attachment"];
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    get_core_v2_media_id: {
        parameters: {
            query?: {
                /** @description Which fields are returned. */
                context?: "view" | "embed" | "edit";
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
                /** @description Relations whose links are followed; without a value all that can be. */
                _embed?: components["parameters"]["embed"];
            };
            header?: never;
            path: {
                /** @description Identifier of the attachment. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["core.v2.attachment"];
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error400"];
        };
    };
    delete_core_v2_media_id: {
        parameters: {
            query?: {
                /** @description Deletes for good instead of moving to the trash. */
                force?: boolean;
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
                /** @description Relations whose links are followed; without a value all that can be. */
                _embed?: components["parameters"]["embed"];
            };
            header?: never;
            path: {
                /** @description Identifier of the attachment. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["core.v2.attachment"] | {
                        /**
                         * @description It is gone for good.
                         * @constant
                         */
                        deleted: true;
                        /** @description What it was. */
                        previous: components["schemas"]["core.v2.attachment"];
                    };
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    patch_core_v2_media_id: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
                /** @description Relations whose links are followed; without a value all that can be. */
                _embed?: components["parameters"]["embed"];
            };
            header?: never;
            path: {
                /** @description Identifier of the attachment. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Publication date in the time zone of the site; null for now. */
                    date?: string | null;
                    /** @description Publication date in GMT; null for now. */
                    date_gmt?: string | null;
                    /** @description Alphanumeric identifier, unique for its type; empty makes one from the title. */
                    slug?: string;
                    /**
                     * @description Status to give.
                     * @enum {string}
                     */
                    status?: "publish" | "future" | "draft" | "pending" | "private" | "calendar-ea-success" | "calendar-ea-failed" | "calendar-ea-schedule" | "calendar-ea-pending" | "calendar-ea-draft" | "calendar-ignored";
                    /** @description Title, as text or as {raw}. */
                    title?: Record<string, unknown> | string | number;
                    /** @description User id of the author. */
                    author?: number;
                    /**
                     * @description Whether comments are open.
                     * @enum {string}
                     */
                    comment_status?: "open" | "closed";
                    /**
                     * @description Whether pings are open.
                     * @enum {string}
                     */
                    ping_status?: "open" | "closed";
                    /** @description Meta fields; none is registered. */
                    meta?: Record<string, unknown>;
                    /** @description Theme file used to render; empty for the default. */
                    template?: string;
                    /** @description Text offered when the picture cannot be displayed. */
                    alt_text?: string;
                    /** @description Caption, as text or as {raw}. */
                    caption?: Record<string, unknown> | string | number;
                    /** @description Description, as text or as {raw}. */
                    description?: Record<string, unknown> | string | number;
                    /** @description Id of the post to attach it to, 0 for none. */
                    post?: number | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["core.v2.attachment"];
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    get_core_v2_posts_parent_revisions: {
        parameters: {
            query?: {
                /** @description Which fields are returned. */
                context?: "view" | "embed" | "edit";
                /** @description Page of the list. */
                page?: number;
                /** @description Most revisions on a page. */
                per_page?: number;
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
                /** @description Relations whose links are followed; without a value all that can be. */
                _embed?: components["parameters"]["embed"];
            };
            header?: never;
            path: {
                /** @description Id of the post or page the revision belongs to. */
                parent: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Total": components["headers"]["total"];
                    "X-Total-Pages": components["headers"]["totalPages"];
                    "X-Total-Relation": components["headers"]["totalRelation"];
                    Link: components["headers"]["link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["core.v2.revision"][];
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error400"];
        };
    };
    get_core_v2_posts_parent_revisions_id: {
        parameters: {
            query?: {
                /** @description Which fields are returned. */
                context?: "view" | "embed" | "edit";
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
                /** @description Relations whose links are followed; without a value all that can be. */
                _embed?: components["parameters"]["embed"];
            };
            header?: never;
            path: {
                /** @description Id of the post or page the revision belongs to. */
                parent: number;
                /** @description Identifier of the revision. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["core.v2.revision"];
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error400"];
        };
    };
    delete_core_v2_posts_parent_revisions_id: {
        parameters: {
            query?: {
                /** @description Must be true: revisions have no trash. */
                force?: boolean;
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
                /** @description Relations whose links are followed; without a value all that can be. */
                _embed?: components["parameters"]["embed"];
            };
            header?: never;
            path: {
                /** @description Id of the post or page the revision belongs to. */
                parent: number;
                /** @description Identifier of the revision. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description It is gone for good.
                         * @constant
                         */
                        deleted: true;
                        /** @description What it was. */
                        previous: components["schemas"]["core.v2.revision"];
                    };
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    get_core_v2_pages_parent_revisions: {
        parameters: {
            query?: {
                /** @description Which fields are returned. */
                context?: "view" | "embed" | "edit";
                /** @description Page of the list. */
                page?: number;
                /** @description Most revisions on a page. */
                per_page?: number;
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
                /** @description Relations whose links are followed; without a value all that can be. */
                _embed?: components["parameters"]["embed"];
            };
            header?: never;
            path: {
                /** @description Id of the post or page the revision belongs to. */
                parent: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Total": components["headers"]["total"];
                    "X-Total-Pages": components["headers"]["totalPages"];
                    "X-Total-Relation": components["headers"]["totalRelation"];
                    Link: components["headers"]["link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["core.v2.revision"][];
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error400"];
        };
    };
    get_core_v2_pages_parent_revisions_id: {
        parameters: {
            query?: {
                /** @description Which fields are returned. */
                context?: "view" | "embed" | "edit";
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
                /** @description Relations whose links are followed; without a value all that can be. */
                _embed?: components["parameters"]["embed"];
            };
            header?: never;
            path: {
                /** @description Id of the post or page the revision belongs to. */
                parent: number;
                /** @description Identifier of the revision. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["core.v2.revision"];
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error400"];
        };
    };
    delete_core_v2_pages_parent_revisions_id: {
        parameters: {
            query?: {
                /** @description Must be true: revisions have no trash. */
                force?: boolean;
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
                /** @description Relations whose links are followed; without a value all that can be. */
                _embed?: components["parameters"]["embed"];
            };
            header?: never;
            path: {
                /** @description Id of the post or page the revision belongs to. */
                parent: number;
                /** @description Identifier of the revision. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description It is gone for good.
                         * @constant
                         */
                        deleted: true;
                        /** @description What it was. */
                        previous: components["schemas"]["core.v2.revision"];
                    };
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    get_core_v2_users: {
        parameters: {
            query?: {
                /** @description Which fields are returned. */
                context?: "view" | "embed" | "edit";
                /** @description Page of the list. */
                page?: number;
                /** @description Most users on a page. */
                per_page?: number;
                /** @description Text that the user name, slug, name or address (with the right to list users: the e-mail address) contains. */
                search?: string;
                /** @description Ids to leave out. */
                exclude?: number[];
                /** @description Only these ids. */
                include?: number[];
                /** @description Users to skip; takes the place of the page. */
                offset?: number;
                /** @description Direction of the order. */
                order?: "asc" | "desc";
                /** @description Field to order by. */
                orderby?: "id" | "include" | "name" | "registered_date" | "slug" | "include_slugs" | "email" | "url";
                /** @description Only users with one of these slugs. */
                slug?: string[];
                /** @description Only users with at least one of these roles. Needs the right to list users. */
                roles?: string[];
                /** @description Only users who may write posts. */
                who?: "authors";
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
                /** @description Relations whose links are followed; without a value all that can be. */
                _embed?: components["parameters"]["embed"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Total": components["headers"]["total"];
                    "X-Total-Pages": components["headers"]["totalPages"];
                    "X-Total-Relation": components["headers"]["totalRelation"];
                    Link: components["headers"]["link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["core.v2.user"][];
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error400"];
        };
    };
    post_core_v2_users: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
                /** @description Relations whose links are followed; without a value all that can be. */
                _embed?: components["parameters"]["embed"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Log-in name. */
                    username: string;
                    /** @description Name shown to readers. */
                    name?: string;
                    /** @description First name. */
                    first_name?: string;
                    /** @description Last name. */
                    last_name?: string;
                    /**
                     * Format: email
                     * @description E-mail address.
                     */
                    email: string;
                    /** @description Address of a page of the user; cleaned, never refused. */
                    url?: string;
                    /** @description A few words about the user. */
                    description?: string;
                    /**
                     * @description Language of the user; empty is that of the site.
                     * @enum {string}
                     */
                    locale?: "" | "en_US" | "de_DE" | "en_GB" | "es_ES" | "fr_FR" | "it_IT" | "nl_NL" | "pt_PT";
                    /** @description Nickname. */
                    nickname?: string;
                    /** @description Part of addresses that names the user. */
                    slug?: string;
                    /** @description Roles of the user. */
                    roles?: string[];
                    /** @description Password; never in an answer. */
                    password: string;
                    /** @description Registered meta fields; there are none. */
                    meta?: Record<string, unknown>;
                    /** @description Refused: ids are given by the service. */
                    id?: unknown;
                };
            };
        };
        responses: {
            /** @description It was created. */
            201: {
                headers: {
                    Location: components["headers"]["location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["core.v2.user"];
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    get_core_v2_users_id: {
        parameters: {
            query?: {
                /** @description Which fields are returned. */
                context?: "view" | "embed" | "edit";
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
                /** @description Relations whose links are followed; without a value all that can be. */
                _embed?: components["parameters"]["embed"];
            };
            header?: never;
            path: {
                /** @description Identifier of the user. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["core.v2.user"];
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error400"];
        };
    };
    delete_core_v2_users_id: {
        parameters: {
            query: {
                /** @description Must be true: users have no trash. */
                force?: boolean;
                /** @description Id of the user who receives the posts; false moves them to the trash. */
                reassign: number | boolean | string;
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
                /** @description Relations whose links are followed; without a value all that can be. */
                _embed?: components["parameters"]["embed"];
            };
            header?: never;
            path: {
                /** @description Identifier of the user. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description It is gone for good.
                         * @constant
                         */
                        deleted: true;
                        /** @description What it was. */
                        previous: components["schemas"]["core.v2.user"];
                    };
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    patch_core_v2_users_id: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
                /** @description Relations whose links are followed; without a value all that can be. */
                _embed?: components["parameters"]["embed"];
            };
            header?: never;
            path: {
                /** @description Identifier of the user. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Log-in name. */
                    username?: string;
                    /** @description Name shown to readers. */
                    name?: string;
                    /** @description First name. */
                    first_name?: string;
                    /** @description Last name. */
                    last_name?: string;
                    /**
                     * Format: email
                     * @description E-mail address.
                     */
                    email?: string;
                    /** @description Address of a page of the user; cleaned, never refused. */
                    url?: string;
                    /** @description A few words about the user. */
                    description?: string;
                    /**
                     * @description Language of the user; empty is that of the site.
                     * @enum {string}
                     */
                    locale?: "" | "en_US" | "de_DE" | "en_GB" | "es_ES" | "fr_FR" | "it_IT" | "nl_NL" | "pt_PT";
                    /** @description Nickname. */
                    nickname?: string;
                    /** @description Part of addresses that names the user. */
                    slug?: string;
                    /** @description Roles of the user. */
                    roles?: string[];
                    /** @description Password; never in an answer. */
                    password?: string;
                    /** @description Registered meta fields; there are none. */
                    meta?: Record<string, unknown>;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["core.v2.user"];
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    get_core_v2_users_me: {
        parameters: {
            query?: {
                /** @description Which fields are returned. */
                context?: "view" | "embed" | "edit";
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
                /** @description Relations whose links are followed; without a value all that can be. */
                _embed?: components["parameters"]["embed"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["core.v2.user"];
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error400"];
        };
    };
    delete_core_v2_users_me: {
        parameters: {
            query: {
                /** @description Must be true: users have no trash. */
                force?: boolean;
                /** @description Id of the user who receives the posts; false moves them to the trash. */
                reassign: number | boolean | string;
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
                /** @description Relations whose links are followed; without a value all that can be. */
                _embed?: components["parameters"]["embed"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description It is gone for good.
                         * @constant
                         */
                        deleted: true;
                        /** @description What it was. */
                        previous: components["schemas"]["core.v2.user"];
                    };
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    patch_core_v2_users_me: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
                /** @description Relations whose links are followed; without a value all that can be. */
                _embed?: components["parameters"]["embed"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Log-in name. */
                    username?: string;
                    /** @description Name shown to readers. */
                    name?: string;
                    /** @description First name. */
                    first_name?: string;
                    /** @description Last name. */
                    last_name?: string;
                    /**
                     * Format: email
                     * @description E-mail address.
                     */
                    email?: string;
                    /** @description Address of a page of the user; cleaned, never refused. */
                    url?: string;
                    /** @description A few words about the user. */
                    description?: string;
                    /**
                     * @description Language of the user; empty is that of the site.
                     * @enum {string}
                     */
                    locale?: "" | "en_US" | "de_DE" | "en_GB" | "es_ES" | "fr_FR" | "it_IT" | "nl_NL" | "pt_PT";
                    /** @description Nickname. */
                    nickname?: string;
                    /** @description Part of addresses that names the user. */
                    slug?: string;
                    /** @description Roles of the user. */
                    roles?: string[];
                    /** @description Password; never in an answer. */
                    password?: string;
                    /** @description Registered meta fields; there are none. */
                    meta?: Record<string, unknown>;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["core.v2.user"];
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    get_core_v2_comments: {
        parameters: {
            query?: {
                /** @description Which fields are returned. */
                context?: "view" | "embed" | "edit";
                /** @description Page of the list. */
                page?: number;
                /** @description Most comments on a page. */
                per_page?: number;
                /** @description text that the comment, or the name or web address of its author, contains */
                search?: string;
                /** @description written after this ISO 8601 date */
                after?: string;
                /** @description written before this ISO 8601 date */
                before?: string;
                /** @description written by these users; takes the right to edit posts */
                author?: number[];
                /** @description not written by these users; takes the right to edit posts */
                author_exclude?: number[];
                /** @description written under this e-mail address; takes the right to edit posts, and finds something for moderators alone */
                author_email?: string;
                /** @description not these comments */
                exclude?: number[];
                /** @description only these comments */
                include?: number[];
                /** @description skips this many comments */
                offset?: number;
                /** @description direction of the order */
                order?: "asc" | "desc";
                /** @description what the list is ordered by */
                orderby?: "date" | "date_gmt" | "id" | "include" | "post" | "parent" | "type";
                /** @description answers to these comments; 0 for those that answer none */
                parent?: number[];
                /** @description not answers to these comments */
                parent_exclude?: number[];
                /** @description about these posts */
                post?: number[];
                /** @description approve, hold, spam, trash, all (approve and hold) or any; all but approve take the right to edit posts */
                status?: string;
                /** @description kind of comment; all but comment take the right to edit posts */
                type?: string;
                /** @description password of the parent post */
                password?: string;
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
                /** @description Relations whose links are followed; without a value all that can be. */
                _embed?: components["parameters"]["embed"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Total": components["headers"]["total"];
                    "X-Total-Pages": components["headers"]["totalPages"];
                    "X-Total-Relation": components["headers"]["totalRelation"];
                    Link: components["headers"]["link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["core.v2.comment"][];
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error400"];
        };
    };
    post_core_v2_comments: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
                /** @description Relations whose links are followed; without a value all that can be. */
                _embed?: components["parameters"]["embed"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description user id when the author is a user */
                    author?: number;
                    /** @description e-mail address of the author */
                    author_email?: string;
                    /** @description network address of the author */
                    author_ip?: string;
                    /** @description name of the author */
                    author_name?: string;
                    /** @description web address of the author */
                    author_url?: string;
                    /** @description program of the author */
                    author_user_agent?: string;
                    /** @description what the comment says: text, or an object with raw */
                    content?: Record<string, unknown> | string;
                    /** @description date by the clock of the site; null for now */
                    date?: string | null;
                    /** @description date in UTC; null for now */
                    date_gmt?: string | null;
                    /**
                     * @description id of the comment that this one answers
                     * @default 0
                     */
                    parent?: number;
                    /**
                     * @description id of the post that it is about
                     * @default 0
                     */
                    post?: number;
                    /** @description approved, hold, spam, unspam, trash or untrash */
                    status?: string;
                    /** @description meta fields; none are registered */
                    meta?: Record<string, unknown>;
                    /** @description kind of comment; only comment */
                    type?: string;
                    /** @description password of the parent post */
                    password?: string;
                    /** @description Refused: ids are given by the service. */
                    id?: unknown;
                };
            };
        };
        responses: {
            /** @description It was created. */
            201: {
                headers: {
                    Location: components["headers"]["location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["core.v2.comment"];
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    get_core_v2_comments_id: {
        parameters: {
            query?: {
                /** @description Which fields are returned. */
                context?: "view" | "embed" | "edit";
                /** @description password of the parent post */
                password?: string;
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
                /** @description Relations whose links are followed; without a value all that can be. */
                _embed?: components["parameters"]["embed"];
            };
            header?: never;
            path: {
                /** @description Identifier of the comment. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["core.v2.comment"];
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error400"];
        };
    };
    delete_core_v2_comments_id: {
        parameters: {
            query?: {
                /** @description Deletes for good instead of moving to the trash. */
                force?: boolean;
                /** @description password of the parent post */
                password?: string;
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
                /** @description Relations whose links are followed; without a value all that can be. */
                _embed?: components["parameters"]["embed"];
            };
            header?: never;
            path: {
                /** @description Identifier of the comment. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["core.v2.comment"] | {
                        /**
                         * @description It is gone for good.
                         * @constant
                         */
                        deleted: true;
                        /** @description What it was. */
                        previous: components["schemas"]["core.v2.comment"];
                    };
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    patch_core_v2_comments_id: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
                /** @description Relations whose links are followed; without a value all that can be. */
                _embed?: components["parameters"]["embed"];
            };
            header?: never;
            path: {
                /** @description Identifier of the comment. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description user id when the author is a user */
                    author?: number;
                    /** @description e-mail address of the author */
                    author_email?: string;
                    /** @description network address of the author */
                    author_ip?: string;
                    /** @description name of the author */
                    author_name?: string;
                    /** @description web address of the author */
                    author_url?: string;
                    /** @description program of the author */
                    author_user_agent?: string;
                    /** @description what the comment says: text, or an object with raw */
                    content?: Record<string, unknown> | string;
                    /** @description date by the clock of the site; null for now */
                    date?: string | null;
                    /** @description date in UTC; null for now */
                    date_gmt?: string | null;
                    /** @description id of the comment that this one answers */
                    parent?: number;
                    /** @description id of the post that it is about */
                    post?: number;
                    /** @description approved, hold, spam, unspam, trash or untrash */
                    status?: string;
                    /** @description meta fields; none are registered */
                    meta?: Record<string, unknown>;
                    /** @description kind of comment; only comment */
                    type?: string;
                    /** @description password of the parent post */
                    password?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["core.v2.comment"];
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    get_core_v2_categories: {
        parameters: {
            query?: {
                /** @description Which fields are returned. */
                context?: "view" | "embed" | "edit";
                /** @description Page of the list. */
                page?: number;
                /** @description Most terms on a page. */
                per_page?: number;
                /** @description Text in the name or the slug. */
                search?: string;
                /** @description Terms to leave out. */
                exclude?: number[];
                /** @description Only these terms. */
                include?: number[];
                /** @description Direction of the order. */
                order?: "asc" | "desc";
                /** @description What the list is ordered by. */
                orderby?: "id" | "include" | "name" | "slug" | "include_slugs" | "term_group" | "description" | "count";
                /** @description Whether terms that nothing published carries are left out. */
                hide_empty?: boolean;
                /** @description Only children of this term; 0 for the topmost terms. */
                parent?: number;
                /** @description Only terms of this post. */
                post?: number;
                /** @description Only terms with these slugs. */
                slug?: string[];
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
                /** @description Relations whose links are followed; without a value all that can be. */
                _embed?: components["parameters"]["embed"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Total": components["headers"]["total"];
                    "X-Total-Pages": components["headers"]["totalPages"];
                    "X-Total-Relation": components["headers"]["totalRelation"];
                    Link: components["headers"]["link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["core.v2.category"][];
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error400"];
        };
    };
    post_core_v2_categories: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
                /** @description Relations whose links are followed; without a value all that can be. */
                _embed?: components["parameters"]["embed"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description HTML title of the term. */
                    name: string;
                    /** @description HTML description of the term. */
                    description?: string;
                    /** @description Alphanumeric identifier, unique in its taxonomy. */
                    slug?: string;
                    /** @description Number of the parent term; 0 for none. */
                    parent?: number;
                    /** @description Meta fields. */
                    meta?: Record<string, unknown>;
                };
            };
        };
        responses: {
            /** @description It was created. */
            201: {
                headers: {
                    Location: components["headers"]["location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["core.v2.category"];
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    get_core_v2_categories_id: {
        parameters: {
            query?: {
                /** @description Which fields are returned. */
                context?: "view" | "embed" | "edit";
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
                /** @description Relations whose links are followed; without a value all that can be. */
                _embed?: components["parameters"]["embed"];
            };
            header?: never;
            path: {
                /** @description Identifier of the term. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["core.v2.category"];
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error400"];
        };
    };
    delete_core_v2_categories_id: {
        parameters: {
            query?: {
                /** @description Must be true: terms have no trash. */
                force?: boolean;
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
                /** @description Relations whose links are followed; without a value all that can be. */
                _embed?: components["parameters"]["embed"];
            };
            header?: never;
            path: {
                /** @description Identifier of the term. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description It is gone for good.
                         * @constant
                         */
                        deleted: true;
                        /** @description What it was. */
                        previous: components["schemas"]["core.v2.category"];
                    };
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    patch_core_v2_categories_id: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
                /** @description Relations whose links are followed; without a value all that can be. */
                _embed?: components["parameters"]["embed"];
            };
            header?: never;
            path: {
                /** @description Identifier of the term. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description HTML title of the term. */
                    name?: string;
                    /** @description HTML description of the term. */
                    description?: string;
                    /** @description Alphanumeric identifier, unique in its taxonomy. */
                    slug?: string;
                    /** @description Number of the parent term; 0 for none. */
                    parent?: number;
                    /** @description Meta fields. */
                    meta?: Record<string, unknown>;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["core.v2.category"];
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    get_core_v2_tags: {
        parameters: {
            query?: {
                /** @description Which fields are returned. */
                context?: "view" | "embed" | "edit";
                /** @description Page of the list. */
                page?: number;
                /** @description Most terms on a page. */
                per_page?: number;
                /** @description Text in the name or the slug. */
                search?: string;
                /** @description Terms to leave out. */
                exclude?: number[];
                /** @description Only these terms. */
                include?: number[];
                /** @description How many terms to skip, in place of page. */
                offset?: number;
                /** @description Direction of the order. */
                order?: "asc" | "desc";
                /** @description What the list is ordered by. */
                orderby?: "id" | "include" | "name" | "slug" | "include_slugs" | "term_group" | "description" | "count";
                /** @description Whether terms that nothing published carries are left out. */
                hide_empty?: boolean;
                /** @description Only terms of this post. */
                post?: number;
                /** @description Only terms with these slugs. */
                slug?: string[];
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
                /** @description Relations whose links are followed; without a value all that can be. */
                _embed?: components["parameters"]["embed"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Total": components["headers"]["total"];
                    "X-Total-Pages": components["headers"]["totalPages"];
                    "X-Total-Relation": components["headers"]["totalRelation"];
                    Link: components["headers"]["link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["core.v2.tag"][];
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error400"];
        };
    };
    post_core_v2_tags: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
                /** @description Relations whose links are followed; without a value all that can be. */
                _embed?: components["parameters"]["embed"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description HTML title of the term. */
                    name: string;
                    /** @description HTML description of the term. */
                    description?: string;
                    /** @description Alphanumeric identifier, unique in its taxonomy. */
                    slug?: string;
                    /** @description Number of the parent term; 0 for none. */
                    parent?: number;
                    /** @description Meta fields. */
                    meta?: Record<string, unknown>;
                };
            };
        };
        responses: {
            /** @description It was created. */
            201: {
                headers: {
                    Location: components["headers"]["location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["core.v2.tag"];
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    get_core_v2_tags_id: {
        parameters: {
            query?: {
                /** @description Which fields are returned. */
                context?: "view" | "embed" | "edit";
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
                /** @description Relations whose links are followed; without a value all that can be. */
                _embed?: components["parameters"]["embed"];
            };
            header?: never;
            path: {
                /** @description Identifier of the term. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["core.v2.tag"];
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error400"];
        };
    };
    delete_core_v2_tags_id: {
        parameters: {
            query?: {
                /** @description Must be true: terms have no trash. */
                force?: boolean;
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
                /** @description Relations whose links are followed; without a value all that can be. */
                _embed?: components["parameters"]["embed"];
            };
            header?: never;
            path: {
                /** @description Identifier of the term. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description It is gone for good.
                         * @constant
                         */
                        deleted: true;
                        /** @description What it was. */
                        previous: components["schemas"]["core.v2.tag"];
                    };
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    patch_core_v2_tags_id: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
                /** @description Relations whose links are followed; without a value all that can be. */
                _embed?: components["parameters"]["embed"];
            };
            header?: never;
            path: {
                /** @description Identifier of the term. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description HTML title of the term. */
                    name?: string;
                    /** @description HTML description of the term. */
                    description?: string;
                    /** @description Alphanumeric identifier, unique in its taxonomy. */
                    slug?: string;
                    /** @description Number of the parent term; 0 for none. */
                    parent?: number;
                    /** @description Meta fields. */
                    meta?: Record<string, unknown>;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["core.v2.tag"];
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    get_core_v2_calendar_events_cat: {
        parameters: {
            query?: {
                /** @description Which fields are returned. */
                context?: "view" | "embed" | "edit";
                /** @description Page of the list. */
                page?: number;
                /** @description Most terms on a page. */
                per_page?: number;
                /** @description Text in the name or the slug. */
                search?: string;
                /** @description Terms to leave out. */
                exclude?: number[];
                /** @description Only these terms. */
                include?: number[];
                /** @description Direction of the order. */
                order?: "asc" | "desc";
                /** @description What the list is ordered by. */
                orderby?: "id" | "include" | "name" | "slug" | "include_slugs" | "term_group" | "description" | "count";
                /** @description Whether terms that nothing published carries are left out. */
                hide_empty?: boolean;
                /** @description Only children of this term; 0 for the topmost terms. */
                parent?: number;
                /** @description Only terms of this post. */
                post?: number;
                /** @description Only terms with these slugs. */
                slug?: string[];
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
                /** @description Relations whose links are followed; without a value all that can be. */
                _embed?: components["parameters"]["embed"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Total": components["headers"]["total"];
                    "X-Total-Pages": components["headers"]["totalPages"];
                    "X-Total-Relation": components["headers"]["totalRelation"];
                    Link: components["headers"]["link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["core.v2.calendar_events_cat"][];
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error400"];
        };
    };
    post_core_v2_calendar_events_cat: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
                /** @description Relations whose links are followed; without a value all that can be. */
                _embed?: components["parameters"]["embed"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description HTML title of the term. */
                    name: string;
                    /** @description HTML description of the term. */
                    description?: string;
                    /** @description Alphanumeric identifier, unique in its taxonomy. */
                    slug?: string;
                    /** @description Number of the parent term; 0 for none. */
                    parent?: number;
                    /** @description Meta fields. */
                    meta?: Record<string, unknown>;
                };
            };
        };
        responses: {
            /** @description It was created. */
            201: {
                headers: {
                    Location: components["headers"]["location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["core.v2.calendar_events_cat"];
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    get_core_v2_calendar_events_cat_id: {
        parameters: {
            query?: {
                /** @description Which fields are returned. */
                context?: "view" | "embed" | "edit";
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
                /** @description Relations whose links are followed; without a value all that can be. */
                _embed?: components["parameters"]["embed"];
            };
            header?: never;
            path: {
                /** @description Identifier of the term. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["core.v2.calendar_events_cat"];
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error400"];
        };
    };
    delete_core_v2_calendar_events_cat_id: {
        parameters: {
            query?: {
                /** @description Must be true: terms have no trash. */
                force?: boolean;
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
                /** @description Relations whose links are followed; without a value all that can be. */
                _embed?: components["parameters"]["embed"];
            };
            header?: never;
            path: {
                /** @description Identifier of the term. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description It is gone for good.
                         * @constant
                         */
                        deleted: true;
                        /** @description What it was. */
                        previous: components["schemas"]["core.v2.calendar_events_cat"];
                    };
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    patch_core_v2_calendar_events_cat_id: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
                /** @description Relations whose links are followed; without a value all that can be. */
                _embed?: components["parameters"]["embed"];
            };
            header?: never;
            path: {
                /** @description Identifier of the term. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description HTML title of the term. */
                    name?: string;
                    /** @description HTML description of the term. */
                    description?: string;
                    /** @description Alphanumeric identifier, unique in its taxonomy. */
                    slug?: string;
                    /** @description Number of the parent term; 0 for none. */
                    parent?: number;
                    /** @description Meta fields. */
                    meta?: Record<string, unknown>;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["core.v2.calendar_events_cat"];
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    get_core_v2_types: {
        parameters: {
            query?: {
                /** @description Which fields are returned. */
                context?: "view" | "embed" | "edit";
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
                /** @description Relations whose links are followed; without a value all that can be. */
                _embed?: components["parameters"]["embed"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: components["schemas"]["core.v2.type"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error400"];
        };
    };
    get_core_v2_types_type: {
        parameters: {
            query?: {
                /** @description Which fields are returned. */
                context?: "view" | "embed" | "edit";
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
                /** @description Relations whose links are followed; without a value all that can be. */
                _embed?: components["parameters"]["embed"];
            };
            header?: never;
            path: {
                /** @description Name of the type. */
                type: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["core.v2.type"];
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error400"];
        };
    };
    get_core_v2_statuses: {
        parameters: {
            query?: {
                /** @description Which fields are returned. */
                context?: "view" | "embed" | "edit";
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
                /** @description Relations whose links are followed; without a value all that can be. */
                _embed?: components["parameters"]["embed"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: components["schemas"]["core.v2.status"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error400"];
        };
    };
    get_core_v2_statuses_status: {
        parameters: {
            query?: {
                /** @description Which fields are returned. */
                context?: "view" | "embed" | "edit";
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
                /** @description Relations whose links are followed; without a value all that can be. */
                _embed?: components["parameters"]["embed"];
            };
            header?: never;
            path: {
                /** @description Name of the status. */
                status: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["core.v2.status"];
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error400"];
        };
    };
    get_core_v2_taxonomies: {
        parameters: {
            query?: {
                /** @description Which fields are returned. */
                context?: "view" | "embed" | "edit";
                /** @description Only taxonomies of this post type. */
                type?: string;
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
                /** @description Relations whose links are followed; without a value all that can be. */
                _embed?: components["parameters"]["embed"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: components["schemas"]["core.v2.taxonomy"];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error400"];
        };
    };
    get_core_v2_taxonomies_taxonomy: {
        parameters: {
            query?: {
                /** @description Which fields are returned. */
                context?: "view" | "embed" | "edit";
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
                /** @description Relations whose links are followed; without a value all that can be. */
                _embed?: components["parameters"]["embed"];
            };
            header?: never;
            path: {
                /** @description Name of the taxonomy. */
                taxonomy: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["core.v2.taxonomy"];
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error400"];
        };
    };
    get_core_v2_settings: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["core.v2.settings"];
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error400"];
        };
    };
    patch_core_v2_settings: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Title of the site. */
                    title?: string | null;
                    /** @description Tagline of the site. */
                    description?: string | null;
                    /** @description Address of the site; fixed by configuration, so writing it changes nothing. */
                    url?: string | null;
                    /**
                     * Format: email
                     * @description Address for administrative mail.
                     */
                    email?: string | null;
                    /** @description A city in the time zone of the site. */
                    timezone?: string | null;
                    /** @description Format of dates. */
                    date_format?: string | null;
                    /** @description Format of times of day. */
                    time_format?: string | null;
                    /** @description Number of the first weekday; 0 is Sunday. */
                    start_of_week?: number | null;
                    /** @description Locale code of the site. */
                    language?: string | null;
                    /** @description Whether emoticons are shown as pictures. */
                    use_smilies?: boolean | null;
                    /** @description Category of posts that have no other. */
                    default_category?: number | null;
                    /** @description Format of posts that have no other. */
                    default_post_format?: string | null;
                    /** @description Posts on a page of the site. */
                    posts_per_page?: number | null;
                    /**
                     * @description Whether new posts take notices of links.
                     * @enum {string|null}
                     */
                    default_ping_status?: "open" | "closed" | null;
                    /**
                     * @description Whether new posts take comments.
                     * @enum {string|null}
                     */
                    default_comment_status?: "open" | "closed" | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["core.v2.settings"];
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    get_console_api_sessions: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Name of the session. */
                        id: string;
                        /** @description What the client called itself. */
                        name: string;
                        /** @description What the client said that it is, when it was heard of last. */
                        user_agent: string;
                        /** @description Network that it was heard of from last, such as 192.0.2.0/24. */
                        network: string;
                        /** @description When it began, ISO 8601 in UTC. */
                        created: string;
                        /** @description When a token of it was used last, ISO 8601 in UTC. */
                        last_used: string;
                        /** @description When it ends unless it is refreshed before, ISO 8601 in UTC. */
                        expires: string;
                        /** @description Whether it was begun with an application password. */
                        by_application_password: boolean;
                        /** @description Whether it is the one of the token that asks. */
                        current: boolean;
                    }[];
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error400"];
        };
    };
    post_console_api_sessions: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description User name, or e-mail address. */
                    username: string;
                    /** @description The user's password, or one of the user's application passwords. */
                    password: string;
                    /**
                     * @description What the client calls itself, for the list of sessions.
                     * @default
                     */
                    name?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Opens the interface, as `Authorization: Bearer …`. */
                        access_token: string;
                        /**
                         * @description How it is sent.
                         * @constant
                         */
                        token_type: "Bearer";
                        /** @description Seconds for which it is good. */
                        expires_in: number;
                        /** @description Good for one exchange. */
                        refresh_token: string;
                        /** @description Seconds for which that is good. */
                        refresh_expires_in: number;
                        /** @description Name of the session. */
                        session: string;
                        /** @description Who logged in. */
                        user: {
                            /** @description Number of the user. */
                            id: number;
                            /** @description Name for the log-in. */
                            username: string;
                            /** @description Name that is shown. */
                            name: string;
                            /** @description Mail address. */
                            email: string;
                            /** @description Roles of the user. */
                            roles: string[];
                            /** @description Rights that follow from the roles. */
                            capabilities: string[];
                        };
                    };
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    delete_console_api_sessions: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description How many there were. */
                        ended: number;
                    };
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    post_console_api_sessions_refresh: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The last one that was given. */
                    refresh_token: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Opens the interface, as `Authorization: Bearer …`. */
                        access_token: string;
                        /**
                         * @description How it is sent.
                         * @constant
                         */
                        token_type: "Bearer";
                        /** @description Seconds for which it is good. */
                        expires_in: number;
                        /** @description Good for one exchange. */
                        refresh_token: string;
                        /** @description Seconds for which that is good. */
                        refresh_expires_in: number;
                        /** @description Name of the session. */
                        session: string;
                        /** @description Who logged in. */
                        user: {
                            /** @description Number of the user. */
                            id: number;
                            /** @description Name for the log-in. */
                            username: string;
                            /** @description Name that is shown. */
                            name: string;
                            /** @description Mail address. */
                            email: string;
                            /** @description Roles of the user. */
                            roles: string[];
                            /** @description Rights that follow from the roles. */
                            capabilities: string[];
                        };
                    };
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    delete_console_api_sessions_id: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path: {
                /** @description Name of the session. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description It has ended.
                         * @constant
                         */
                        deleted: true;
                        /** @description What it was. */
                        previous: {
                            /** @description Name of the session. */
                            id: string;
                            /** @description What the client called itself. */
                            name: string;
                            /** @description What the client said that it is, when it was heard of last. */
                            user_agent: string;
                            /** @description Network that it was heard of from last, such as 192.0.2.0/24. */
                            network: string;
                            /** @description When it began, ISO 8601 in UTC. */
                            created: string;
                            /** @description When a token of it was used last, ISO 8601 in UTC. */
                            last_used: string;
                            /** @description When it ends unless it is refreshed before, ISO 8601 in UTC. */
                            expires: string;
                            /** @description Whether it was begun with an application password. */
                            by_application_password: boolean;
                        };
                    };
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    get_console_api_application_passwords: {
        parameters: {
            query?: {
                /** @description Number of the user whose they are; the caller when 0. Others take the right `edit_users`. */
                user?: number;
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Name of the application password, with which it is revoked. */
                        id: string;
                        /** @description What it is for. */
                        name: string;
                        /** @description When it was made, ISO 8601 in UTC. */
                        created: string;
                        /** @description When it was used last, to the minute, ISO 8601 in UTC; empty where it never was. */
                        last_used: string;
                        /** @description Address from which that was. */
                        last_address: string;
                    }[];
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error400"];
        };
    };
    post_console_api_application_passwords: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Number of the user whose they are; the caller when 0. Others take the right `edit_users`.
                     * @default 0
                     */
                    user?: number;
                    /** @description What it is for: the program that uses it. */
                    name: string;
                };
            };
        };
        responses: {
            /** @description It was created. */
            201: {
                headers: {
                    Location: components["headers"]["location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Name of the application password, with which it is revoked. */
                        id: string;
                        /** @description What it is for. */
                        name: string;
                        /** @description When it was made, ISO 8601 in UTC. */
                        created: string;
                        /** @description When it was used last, to the minute, ISO 8601 in UTC; empty where it never was. */
                        last_used: string;
                        /** @description Address from which that was. */
                        last_address: string;
                        /** @description The secret, in groups of four characters. It is told this once. */
                        password: string;
                    };
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    delete_console_api_application_passwords_id: {
        parameters: {
            query?: {
                /** @description Number of the user whose they are; the caller when 0. Others take the right `edit_users`. */
                user?: number;
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path: {
                /** @description Name of the application password. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description It opens nothing any more.
                         * @constant
                         */
                        deleted: true;
                        /** @description What it was. */
                        previous: {
                            /** @description Name of the application password, with which it is revoked. */
                            id: string;
                            /** @description What it is for. */
                            name: string;
                            /** @description When it was made, ISO 8601 in UTC. */
                            created: string;
                            /** @description When it was used last, to the minute, ISO 8601 in UTC; empty where it never was. */
                            last_used: string;
                            /** @description Address from which that was. */
                            last_address: string;
                        };
                    };
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    get_console_api_webhooks: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Number of the webhook. */
                        id: number;
                        /** @description Where the deliveries are posted. */
                        url: string;
                        /** @description What it is told of. */
                        topics: string[];
                        /**
                         * @description By whose rights things are shown.
                         * @enum {string}
                         */
                        audience: "public" | "owner";
                        /** @description What it is for. */
                        description: string;
                        /** @description Number of who registered it; 0 when that user is gone. */
                        owner: number;
                        /**
                         * @description Whether anything is sent.
                         * @enum {string}
                         */
                        state: "active" | "disabled";
                        /** @description Why nothing is sent: failing, gone or by_hand. */
                        disabled_reason: string | null;
                        /** @description Since when nothing is sent, ISO 8601 in UTC. */
                        disabled_at: string | null;
                        /** @description When it was registered, ISO 8601 in UTC. */
                        created_at: string;
                        /** @description Since when nothing has arrived, ISO 8601 in UTC. */
                        failing_since: string | null;
                        /** @description When something arrived last, ISO 8601 in UTC. */
                        delivered_at: string | null;
                        /** @description Until when the secret before signs as well, ISO 8601 in UTC. */
                        previous_secret_until: string | null;
                        /** @description Deliveries that are still to be made. */
                        waiting: number;
                    }[];
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error400"];
        };
    };
    post_console_api_webhooks: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Where the deliveries are posted: https or http, at a public address. */
                    url: string;
                    /** @description What it is told of: names of topics, beginnings such as content.*, or * for all. */
                    topics: string[];
                    /**
                     * @description By whose rights things are shown: those of strangers, or those that who registered it has by then.
                     * @default public
                     * @enum {string}
                     */
                    audience?: "public" | "owner";
                    /**
                     * @description What it is for.
                     * @default
                     */
                    description?: string;
                };
            };
        };
        responses: {
            /** @description It was created. */
            201: {
                headers: {
                    Location: components["headers"]["location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Number of the webhook. */
                        id: number;
                        /** @description Where the deliveries are posted. */
                        url: string;
                        /** @description What it is told of. */
                        topics: string[];
                        /**
                         * @description By whose rights things are shown.
                         * @enum {string}
                         */
                        audience: "public" | "owner";
                        /** @description What it is for. */
                        description: string;
                        /** @description Number of who registered it; 0 when that user is gone. */
                        owner: number;
                        /**
                         * @description Whether anything is sent.
                         * @enum {string}
                         */
                        state: "active" | "disabled";
                        /** @description Why nothing is sent: failing, gone or by_hand. */
                        disabled_reason: string | null;
                        /** @description Since when nothing is sent, ISO 8601 in UTC. */
                        disabled_at: string | null;
                        /** @description When it was registered, ISO 8601 in UTC. */
                        created_at: string;
                        /** @description Since when nothing has arrived, ISO 8601 in UTC. */
                        failing_since: string | null;
                        /** @description When something arrived last, ISO 8601 in UTC. */
                        delivered_at: string | null;
                        /** @description Until when the secret before signs as well, ISO 8601 in UTC. */
                        previous_secret_until: string | null;
                        /** @description Deliveries that are still to be made. */
                        waiting: number;
                        /** @description What signatures are made with. It is told this once. */
                        secret: string;
                    };
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    get_console_api_webhooks_topics: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Name of the topic. */
                        name: string;
                        /** @description When it is told. */
                        description: string;
                    }[];
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error400"];
        };
    };
    get_console_api_webhooks_id: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path: {
                /** @description Number of the webhook. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Number of the webhook. */
                        id: number;
                        /** @description Where the deliveries are posted. */
                        url: string;
                        /** @description What it is told of. */
                        topics: string[];
                        /**
                         * @description By whose rights things are shown.
                         * @enum {string}
                         */
                        audience: "public" | "owner";
                        /** @description What it is for. */
                        description: string;
                        /** @description Number of who registered it; 0 when that user is gone. */
                        owner: number;
                        /**
                         * @description Whether anything is sent.
                         * @enum {string}
                         */
                        state: "active" | "disabled";
                        /** @description Why nothing is sent: failing, gone or by_hand. */
                        disabled_reason: string | null;
                        /** @description Since when nothing is sent, ISO 8601 in UTC. */
                        disabled_at: string | null;
                        /** @description When it was registered, ISO 8601 in UTC. */
                        created_at: string;
                        /** @description Since when nothing has arrived, ISO 8601 in UTC. */
                        failing_since: string | null;
                        /** @description When something arrived last, ISO 8601 in UTC. */
                        delivered_at: string | null;
                        /** @description Until when the secret before signs as well, ISO 8601 in UTC. */
                        previous_secret_until: string | null;
                        /** @description Deliveries that are still to be made. */
                        waiting: number;
                    };
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error400"];
        };
    };
    delete_console_api_webhooks_id: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path: {
                /** @description Number of the webhook. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Nothing more is sent.
                         * @constant
                         */
                        deleted: true;
                        /** @description What it was. */
                        previous: {
                            /** @description Number of the webhook. */
                            id: number;
                            /** @description Where the deliveries are posted. */
                            url: string;
                            /** @description What it is told of. */
                            topics: string[];
                            /**
                             * @description By whose rights things are shown.
                             * @enum {string}
                             */
                            audience: "public" | "owner";
                            /** @description What it is for. */
                            description: string;
                            /** @description Number of who registered it; 0 when that user is gone. */
                            owner: number;
                            /**
                             * @description Whether anything is sent.
                             * @enum {string}
                             */
                            state: "active" | "disabled";
                            /** @description Why nothing is sent: failing, gone or by_hand. */
                            disabled_reason: string | null;
                            /** @description Since when nothing is sent, ISO 8601 in UTC. */
                            disabled_at: string | null;
                            /** @description When it was registered, ISO 8601 in UTC. */
                            created_at: string;
                            /** @description Since when nothing has arrived, ISO 8601 in UTC. */
                            failing_since: string | null;
                            /** @description When something arrived last, ISO 8601 in UTC. */
                            delivered_at: string | null;
                            /** @description Until when the secret before signs as well, ISO 8601 in UTC. */
                            previous_secret_until: string | null;
                            /** @description Deliveries that are still to be made. */
                            waiting: number;
                        };
                    };
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    patch_console_api_webhooks_id: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path: {
                /** @description Number of the webhook. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Where the deliveries are posted: https or http, at a public address. */
                    url?: string;
                    /** @description What it is told of: names of topics, beginnings such as content.*, or * for all. */
                    topics?: string[];
                    /**
                     * @description By whose rights things are shown: those of strangers, or those that who registered it has by then.
                     * @enum {string}
                     */
                    audience?: "public" | "owner";
                    /** @description What it is for. */
                    description?: string;
                    /**
                     * @description disabled: nothing is sent, what waits is given up. active: what happens from now on is sent.
                     * @enum {string}
                     */
                    state?: "active" | "disabled";
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Number of the webhook. */
                        id: number;
                        /** @description Where the deliveries are posted. */
                        url: string;
                        /** @description What it is told of. */
                        topics: string[];
                        /**
                         * @description By whose rights things are shown.
                         * @enum {string}
                         */
                        audience: "public" | "owner";
                        /** @description What it is for. */
                        description: string;
                        /** @description Number of who registered it; 0 when that user is gone. */
                        owner: number;
                        /**
                         * @description Whether anything is sent.
                         * @enum {string}
                         */
                        state: "active" | "disabled";
                        /** @description Why nothing is sent: failing, gone or by_hand. */
                        disabled_reason: string | null;
                        /** @description Since when nothing is sent, ISO 8601 in UTC. */
                        disabled_at: string | null;
                        /** @description When it was registered, ISO 8601 in UTC. */
                        created_at: string;
                        /** @description Since when nothing has arrived, ISO 8601 in UTC. */
                        failing_since: string | null;
                        /** @description When something arrived last, ISO 8601 in UTC. */
                        delivered_at: string | null;
                        /** @description Until when the secret before signs as well, ISO 8601 in UTC. */
                        previous_secret_until: string | null;
                        /** @description Deliveries that are still to be made. */
                        waiting: number;
                    };
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    post_console_api_webhooks_id_secret: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path: {
                /** @description Number of the webhook. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Number of the webhook. */
                        id: number;
                        /** @description Where the deliveries are posted. */
                        url: string;
                        /** @description What it is told of. */
                        topics: string[];
                        /**
                         * @description By whose rights things are shown.
                         * @enum {string}
                         */
                        audience: "public" | "owner";
                        /** @description What it is for. */
                        description: string;
                        /** @description Number of who registered it; 0 when that user is gone. */
                        owner: number;
                        /**
                         * @description Whether anything is sent.
                         * @enum {string}
                         */
                        state: "active" | "disabled";
                        /** @description Why nothing is sent: failing, gone or by_hand. */
                        disabled_reason: string | null;
                        /** @description Since when nothing is sent, ISO 8601 in UTC. */
                        disabled_at: string | null;
                        /** @description When it was registered, ISO 8601 in UTC. */
                        created_at: string;
                        /** @description Since when nothing has arrived, ISO 8601 in UTC. */
                        failing_since: string | null;
                        /** @description When something arrived last, ISO 8601 in UTC. */
                        delivered_at: string | null;
                        /** @description Until when the secret before signs as well, ISO 8601 in UTC. */
                        previous_secret_until: string | null;
                        /** @description Deliveries that are still to be made. */
                        waiting: number;
                        /** @description What signatures are made with. It is told this once. */
                        secret: string;
                    };
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    post_console_api_webhooks_id_ping: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path: {
                /** @description Number of the webhook. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Number of the delivery. */
                        id: number;
                        /** @description What `webhook-id` says, the same for each try. */
                        message_id: string;
                        /** @description Number of the webhook. */
                        webhook: number;
                        /** @description What it tells. */
                        topic: string;
                        /** @description What it tells it of. */
                        object: {
                            /** @description Kind of the object. */
                            kind: string;
                            /** @description Its number, or its name where it has one. */
                            id: string;
                        };
                        /**
                         * @description What became of it.
                         * @enum {string}
                         */
                        state: "waiting" | "delivered" | "given_up";
                        /** @description How often it was tried. */
                        attempts: number;
                        /** @description When it happened, ISO 8601 in UTC. */
                        created_at: string;
                        /** @description When it was tried last, ISO 8601 in UTC. */
                        tried_at: string | null;
                        /** @description When it is tried next, ISO 8601 in UTC. */
                        next_at: string | null;
                        /** @description What the last try was answered with. */
                        answer: {
                            /** @description Status of the answer. */
                            status: number;
                            /** @description Milliseconds that it took. */
                            ms: number;
                            /** @description Beginning of its body. */
                            body: string;
                        } | null;
                        /** @description What went wrong with the last try. */
                        error: string | null;
                    };
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    get_console_api_webhooks_id_deliveries: {
        parameters: {
            query?: {
                /** @description Only those in this state. */
                state?: "waiting" | "delivered" | "given_up";
                /** @description The `next` of the page before. */
                older_than?: number;
                /** @description Deliveries on a page. */
                per_page?: number;
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path: {
                /** @description Number of the webhook. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The deliveries of this page. */
                        deliveries: {
                            /** @description Number of the delivery. */
                            id: number;
                            /** @description What `webhook-id` says, the same for each try. */
                            message_id: string;
                            /** @description Number of the webhook. */
                            webhook: number;
                            /** @description What it tells. */
                            topic: string;
                            /** @description What it tells it of. */
                            object: {
                                /** @description Kind of the object. */
                                kind: string;
                                /** @description Its number, or its name where it has one. */
                                id: string;
                            };
                            /**
                             * @description What became of it.
                             * @enum {string}
                             */
                            state: "waiting" | "delivered" | "given_up";
                            /** @description How often it was tried. */
                            attempts: number;
                            /** @description When it happened, ISO 8601 in UTC. */
                            created_at: string;
                            /** @description When it was tried last, ISO 8601 in UTC. */
                            tried_at: string | null;
                            /** @description When it is tried next, ISO 8601 in UTC. */
                            next_at: string | null;
                            /** @description What the last try was answered with. */
                            answer: {
                                /** @description Status of the answer. */
                                status: number;
                                /** @description Milliseconds that it took. */
                                ms: number;
                                /** @description Beginning of its body. */
                                body: string;
                            } | null;
                            /** @description What went wrong with the last try. */
                            error: string | null;
                        }[];
                        /** @description The `older_than` of the next page; null on the last. */
                        next: number | null;
                    };
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error400"];
        };
    };
    post_console_api_webhooks_id_deliveries_delivery_redeliver: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path: {
                /** @description Number of the webhook. */
                id: number;
                /** @description Number of the delivery. */
                delivery: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Number of the delivery. */
                        id: number;
                        /** @description What `webhook-id` says, the same for each try. */
                        message_id: string;
                        /** @description Number of the webhook. */
                        webhook: number;
                        /** @description What it tells. */
                        topic: string;
                        /** @description What it tells it of. */
                        object: {
                            /** @description Kind of the object. */
                            kind: string;
                            /** @description Its number, or its name where it has one. */
                            id: string;
                        };
                        /**
                         * @description What became of it.
                         * @enum {string}
                         */
                        state: "waiting" | "delivered" | "given_up";
                        /** @description How often it was tried. */
                        attempts: number;
                        /** @description When it happened, ISO 8601 in UTC. */
                        created_at: string;
                        /** @description When it was tried last, ISO 8601 in UTC. */
                        tried_at: string | null;
                        /** @description When it is tried next, ISO 8601 in UTC. */
                        next_at: string | null;
                        /** @description What the last try was answered with. */
                        answer: {
                            /** @description Status of the answer. */
                            status: number;
                            /** @description Milliseconds that it took. */
                            ms: number;
                            /** @description Beginning of its body. */
                            body: string;
                        } | null;
                        /** @description What went wrong with the last try. */
                        error: string | null;
                    };
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    get_console_api_imports: {
        parameters: {
            query?: {
                /** @description Page to return. */
                page?: number;
                /** @description Imports on a page. */
                per_page?: number;
                /** @description Only imports in this state. */
                state?: "pending" | "success" | "failed" | "stalled";
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "X-Total": components["headers"]["total"];
                    "X-Total-Pages": components["headers"]["totalPages"];
                    "X-Total-Relation": components["headers"]["totalRelation"];
                    Link: components["headers"]["link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Name of the import. */
                        import_id: string;
                        /** @description Where the events come from. */
                        origin: string;
                        /** @description Status of the events that are created. */
                        default_status: string;
                        /** @description What becomes of fields that people changed: overwrite, leave or fill. */
                        authority: string;
                        /** @description Author of what is created. */
                        owner: number;
                        /** @description How it stands: pending, success, failed or stalled. */
                        state: string;
                        /** @description As its sender said last. */
                        percentage_complete: number;
                        /** @description Events by what the sender said. */
                        data: {
                            /** @description All that are to come. */
                            total: number;
                            /** @description Those that came. */
                            done: number;
                        };
                        /** @description Batches that are kept. */
                        batches_accepted: number;
                        /** @description Those of them that are in the calendar. */
                        batches_applied: number;
                        /** @description As its sender said last. */
                        batches_total: number;
                        /** @description The batch that holds up those behind it. */
                        failed_batch: {
                            /** @description Number of the batch. */
                            number: number;
                            /** @description Why it failed. */
                            reason: string;
                        } | null;
                        /** @description What its sender said last, for people. */
                        message: string;
                        /** @description What its sender said last, for programs. */
                        message_slug: string;
                        /** @description Seconds between two batches, as its sender said. */
                        interval: number;
                        /** @description When it was registered, ISO 8601 in UTC. */
                        created_at: string;
                        /** @description When its sender was heard of last, ISO 8601 in UTC. */
                        heard_at: string | null;
                        /** @description When a batch of it reached the calendar last, ISO 8601 in UTC. */
                        applied_at: string | null;
                        /** @description When it ended, ISO 8601 in UTC. */
                        finished_at: string | null;
                        /** @description What became of its events. */
                        events: {
                            /** @description Kept. */
                            accepted: number;
                            /** @description Created. */
                            created: number;
                            /** @description Changed. */
                            updated: number;
                            /** @description Left alone, or could not be taken. */
                            skipped: number;
                        };
                        /** @description What became of their pictures. */
                        images: {
                            /** @description Fetched. */
                            fetched: number;
                            /** @description Could not be fetched. */
                            failed: number;
                        };
                    }[];
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error400"];
        };
    };
    post_console_api_imports: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description Where the events come from: ics, gcal, url, csv, …
                     * @default ics
                     */
                    origin?: string;
                    /**
                     * @description Status of the events that are created.
                     * @default publish
                     * @enum {string}
                     */
                    status?: "publish" | "draft" | "pending" | "private" | "calendar-ea-pending" | "calendar-ea-draft";
                    /**
                     * @description Author of what is created; the caller when 0.
                     * @default 0
                     */
                    owner?: number;
                    /** @description Name of the import; one is made when it is left out. */
                    import_id?: string;
                    /**
                     * @description What becomes of fields that people changed: overwritten, left with the whole event, or filled only where they are empty.
                     * @default overwrite
                     * @enum {string}
                     */
                    authority?: "overwrite" | "leave" | "fill";
                };
            };
        };
        responses: {
            /** @description It was created. */
            201: {
                headers: {
                    Location: components["headers"]["location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Name of the import. */
                        import_id: string;
                        /** @description What the next batch must carry. */
                        batch_hash: string;
                    };
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    get_console_api_imports_import_id: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path: {
                /** @description Name of the import. */
                import_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Name of the import. */
                        import_id: string;
                        /** @description Where the events come from. */
                        origin: string;
                        /** @description Status of the events that are created. */
                        default_status: string;
                        /** @description What becomes of fields that people changed: overwrite, leave or fill. */
                        authority: string;
                        /** @description Author of what is created. */
                        owner: number;
                        /** @description How it stands: pending, success, failed or stalled. */
                        state: string;
                        /** @description As its sender said last. */
                        percentage_complete: number;
                        /** @description Events by what the sender said. */
                        data: {
                            /** @description All that are to come. */
                            total: number;
                            /** @description Those that came. */
                            done: number;
                        };
                        /** @description Batches that are kept. */
                        batches_accepted: number;
                        /** @description Those of them that are in the calendar. */
                        batches_applied: number;
                        /** @description As its sender said last. */
                        batches_total: number;
                        /** @description The batch that holds up those behind it. */
                        failed_batch: {
                            /** @description Number of the batch. */
                            number: number;
                            /** @description Why it failed. */
                            reason: string;
                        } | null;
                        /** @description What its sender said last, for people. */
                        message: string;
                        /** @description What its sender said last, for programs. */
                        message_slug: string;
                        /** @description Seconds between two batches, as its sender said. */
                        interval: number;
                        /** @description When it was registered, ISO 8601 in UTC. */
                        created_at: string;
                        /** @description When its sender was heard of last, ISO 8601 in UTC. */
                        heard_at: string | null;
                        /** @description When a batch of it reached the calendar last, ISO 8601 in UTC. */
                        applied_at: string | null;
                        /** @description When it ended, ISO 8601 in UTC. */
                        finished_at: string | null;
                        /** @description What became of its events. */
                        events: {
                            /** @description Kept. */
                            accepted: number;
                            /** @description Created. */
                            created: number;
                            /** @description Changed. */
                            updated: number;
                            /** @description Left alone, or could not be taken. */
                            skipped: number;
                        };
                        /** @description What became of their pictures. */
                        images: {
                            /** @description Fetched. */
                            fetched: number;
                            /** @description Could not be fetched. */
                            failed: number;
                        };
                        /** @description The newest batches. */
                        batches: {
                            /** @description Number of the batch. */
                            number: number;
                            /** @description How it stands: accepted, applied or failed. */
                            state: string;
                            /** @description How many it holds. */
                            events: number;
                            /** @description Created of them. */
                            created: number;
                            /** @description Changed of them. */
                            updated: number;
                            /** @description Left alone, or could not be taken. */
                            skipped: number;
                            /** @description Of those skipped: what could not be taken. */
                            failed: number;
                            /** @description Why it failed. */
                            error: string;
                            /** @description When it came, ISO 8601 in UTC. */
                            accepted_at: string;
                            /** @description When it reached the calendar, ISO 8601 in UTC. */
                            applied_at: string | null;
                        }[];
                        /** @description The newest faults. */
                        faults: {
                            /** @description Number of the batch. */
                            batch: number;
                            /** @description Position in the batch, from 0. */
                            position: number;
                            /** @description Name that its source gave the event. */
                            uid: string;
                            /** @description Its title. */
                            title: string;
                            /** @description Why it could not be taken. */
                            reason: string;
                            /** @description It is there, and was left as it is on purpose. */
                            left_alone: boolean;
                        }[];
                    };
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error400"];
        };
    };
    get_console_api_imports_import_id_progress: {
        parameters: {
            query?: {
                /** @description Page of the batches and of the faults, in the order in which they came. */
                page?: number;
                /** @description Of each on a page. */
                per_page?: number;
                /** @description Only faults of the batch of this number; 0 for all. */
                batch?: number;
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path: {
                /** @description Name of the import. */
                import_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Name of the import. */
                        import_id: string;
                        /** @description Where the events come from. */
                        origin: string;
                        /** @description Status of the events that are created. */
                        default_status: string;
                        /** @description What becomes of fields that people changed: overwrite, leave or fill. */
                        authority: string;
                        /** @description Author of what is created. */
                        owner: number;
                        /** @description How it stands: pending, success, failed or stalled. */
                        state: string;
                        /** @description As its sender said last. */
                        percentage_complete: number;
                        /** @description Events by what the sender said. */
                        data: {
                            /** @description All that are to come. */
                            total: number;
                            /** @description Those that came. */
                            done: number;
                        };
                        /** @description Batches that are kept. */
                        batches_accepted: number;
                        /** @description Those of them that are in the calendar. */
                        batches_applied: number;
                        /** @description As its sender said last. */
                        batches_total: number;
                        /** @description The batch that holds up those behind it. */
                        failed_batch: {
                            /** @description Number of the batch. */
                            number: number;
                            /** @description Why it failed. */
                            reason: string;
                        } | null;
                        /** @description What its sender said last, for people. */
                        message: string;
                        /** @description What its sender said last, for programs. */
                        message_slug: string;
                        /** @description Seconds between two batches, as its sender said. */
                        interval: number;
                        /** @description When it was registered, ISO 8601 in UTC. */
                        created_at: string;
                        /** @description When its sender was heard of last, ISO 8601 in UTC. */
                        heard_at: string | null;
                        /** @description When a batch of it reached the calendar last, ISO 8601 in UTC. */
                        applied_at: string | null;
                        /** @description When it ended, ISO 8601 in UTC. */
                        finished_at: string | null;
                        /** @description What became of each kind of thing, each once. */
                        counts: {
                            /** @description What became of events. */
                            events: {
                                /** @description Created. */
                                created: number;
                                /** @description Changed. */
                                updated: number;
                                /** @description Left alone. */
                                skipped: number;
                                /** @description Could not be taken. */
                                failed: number;
                            };
                            /** @description What became of venues. */
                            venues: {
                                /** @description Created. */
                                created: number;
                                /** @description Changed. */
                                updated: number;
                                /** @description Left alone. */
                                skipped: number;
                                /** @description Could not be taken. */
                                failed: number;
                            };
                            /** @description What became of organizers. */
                            organizers: {
                                /** @description Created. */
                                created: number;
                                /** @description Changed. */
                                updated: number;
                                /** @description Left alone. */
                                skipped: number;
                                /** @description Could not be taken. */
                                failed: number;
                            };
                            /** @description What became of categories. */
                            categories: {
                                /** @description Created. */
                                created: number;
                                /** @description Changed. */
                                updated: number;
                                /** @description Left alone. */
                                skipped: number;
                                /** @description Could not be taken. */
                                failed: number;
                            };
                            /** @description What became of tags. */
                            tags: {
                                /** @description Created. */
                                created: number;
                                /** @description Changed. */
                                updated: number;
                                /** @description Left alone. */
                                skipped: number;
                                /** @description Could not be taken. */
                                failed: number;
                            };
                            /** @description What became of pictures. */
                            attachments: {
                                /** @description Created. */
                                created: number;
                                /** @description Changed. */
                                updated: number;
                                /** @description Left alone. */
                                skipped: number;
                                /** @description Could not be taken. */
                                failed: number;
                            };
                        };
                        /** @description Which page this is. */
                        page: number;
                        /** @description Of each on a page. */
                        per_page: number;
                        /** @description How many pages there are. */
                        total_pages: number;
                        /** @description Batches in the order in which they came. */
                        batches: {
                            /** @description How many there are. */
                            total: number;
                            /** @description Those of this page. */
                            items: {
                                /** @description Number of the batch. */
                                number: number;
                                /** @description How it stands: accepted, applied or failed. */
                                state: string;
                                /** @description How many it holds. */
                                events: number;
                                /** @description Created of them. */
                                created: number;
                                /** @description Changed of them. */
                                updated: number;
                                /** @description Left alone, or could not be taken. */
                                skipped: number;
                                /** @description Of those skipped: what could not be taken. */
                                failed: number;
                                /** @description Why it failed. */
                                error: string;
                                /** @description When it came, ISO 8601 in UTC. */
                                accepted_at: string;
                                /** @description When it reached the calendar, ISO 8601 in UTC. */
                                applied_at: string | null;
                            }[];
                        };
                        /** @description Faults in the order in which they came. */
                        faults: {
                            /** @description How many there are. */
                            total: number;
                            /** @description Those of this page. */
                            items: {
                                /** @description Number of the batch. */
                                batch: number;
                                /** @description Position in the batch, from 0. */
                                position: number;
                                /** @description Name that its source gave the event. */
                                uid: string;
                                /** @description Its title. */
                                title: string;
                                /** @description Why it could not be taken. */
                                reason: string;
                                /** @description It is there, and was left as it is on purpose. */
                                left_alone: boolean;
                            }[];
                        };
                    };
                    "text/event-stream": string;
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error400"];
        };
    };
    post_console_api_imports_import_id_retry: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path: {
                /** @description Name of the import. */
                import_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Number of the batch. */
                    number: number;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Name of the import. */
                        import_id: string;
                        /** @description Where the events come from. */
                        origin: string;
                        /** @description Status of the events that are created. */
                        default_status: string;
                        /** @description What becomes of fields that people changed: overwrite, leave or fill. */
                        authority: string;
                        /** @description Author of what is created. */
                        owner: number;
                        /** @description How it stands: pending, success, failed or stalled. */
                        state: string;
                        /** @description As its sender said last. */
                        percentage_complete: number;
                        /** @description Events by what the sender said. */
                        data: {
                            /** @description All that are to come. */
                            total: number;
                            /** @description Those that came. */
                            done: number;
                        };
                        /** @description Batches that are kept. */
                        batches_accepted: number;
                        /** @description Those of them that are in the calendar. */
                        batches_applied: number;
                        /** @description As its sender said last. */
                        batches_total: number;
                        /** @description The batch that holds up those behind it. */
                        failed_batch: {
                            /** @description Number of the batch. */
                            number: number;
                            /** @description Why it failed. */
                            reason: string;
                        } | null;
                        /** @description What its sender said last, for people. */
                        message: string;
                        /** @description What its sender said last, for programs. */
                        message_slug: string;
                        /** @description Seconds between two batches, as its sender said. */
                        interval: number;
                        /** @description When it was registered, ISO 8601 in UTC. */
                        created_at: string;
                        /** @description When its sender was heard of last, ISO 8601 in UTC. */
                        heard_at: string | null;
                        /** @description When a batch of it reached the calendar last, ISO 8601 in UTC. */
                        applied_at: string | null;
                        /** @description When it ended, ISO 8601 in UTC. */
                        finished_at: string | null;
                        /** @description What became of its events. */
                        events: {
                            /** @description Kept. */
                            accepted: number;
                            /** @description Created. */
                            created: number;
                            /** @description Changed. */
                            updated: number;
                            /** @description Left alone, or could not be taken. */
                            skipped: number;
                        };
                        /** @description What became of their pictures. */
                        images: {
                            /** @description Fetched. */
                            fetched: number;
                            /** @description Could not be fetched. */
                            failed: number;
                        };
                    };
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    post_console_api_imports_import_id_resume: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path: {
                /** @description Name of the import. */
                import_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Name of the import. */
                        import_id: string;
                        /** @description What the next batch must carry. */
                        batch_hash: string;
                    };
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    get_console_api_submissions: {
        parameters: {
            query?: {
                /** @description Words in any field, all of them. */
                search?: string;
                /** @description Only of this form. */
                form?: number;
                /** @description Only in this folder. */
                status?: "inbox" | "spam" | "trash";
                /** @description From this day or moment on, ISO 8601. */
                after?: string;
                /** @description Up to this day or moment, without it. */
                before?: string;
                /** @description Only with this mail address in a field. */
                email?: string;
                /** @description The `next` of the page before. */
                older_than?: number;
                /** @description Submissions on a page. */
                per_page?: number;
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The submissions of this page. */
                        submissions: {
                            /** @description Number of the submission. */
                            id: number;
                            /** @description The form that it came through. */
                            form: {
                                /** @description Number of the form. */
                                id: number;
                                /** @description Title of the form. */
                                title: string;
                            };
                            /**
                             * @description Folder that it lies in.
                             * @enum {string}
                             */
                            status: "inbox" | "spam" | "trash";
                            /** @description When it came, ISO 8601 in UTC. */
                            submitted_at: string;
                            /** @description What was filled in, by field; lists where there are several. */
                            fields: {
                                [key: string]: string | string[];
                            };
                            /** @description Files that came with it. */
                            files: {
                                /** @description Field that it came in. */
                                field: string;
                                /** @description Name of the file. */
                                name: string;
                                /** @description Type of the file. */
                                type: string;
                                /** @description Its size. */
                                bytes: number;
                            }[];
                            /** @description Its mail to those who run the site. */
                            mail: {
                                /** @description What became of it: none, queued, sent or failed. */
                                state: string;
                                /** @description Why it failed, or for whom. */
                                error: string;
                            };
                            /** @description Its second mail. */
                            mail_2: {
                                /** @description What became of it: none, queued, sent or failed. */
                                state: string;
                                /** @description Why it failed, or for whom. */
                                error: string;
                            };
                            /** @description What the spam filter says. */
                            spam: {
                                /** @description ham, spam or blatant; null before it is judged. */
                                verdict: string | null;
                                /** @description How sure that is. */
                                score: number | null;
                                /** @description What speaks for it. */
                                evidence: {
                                    [key: string]: unknown;
                                }[];
                            };
                            /** @description Network address that it came from. */
                            address: string;
                            /** @description What its client said that it is. */
                            user_agent: string;
                            /** @description Page before the one with the form. */
                            referrer: string;
                            /** @description Page with the form. */
                            url: string;
                        }[];
                        /** @description The `older_than` of the next page; null on the last. */
                        next: number | null;
                    };
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error400"];
        };
    };
    get_console_api_submissions_export: {
        parameters: {
            query?: {
                /** @description Words in any field, all of them. */
                search?: string;
                /** @description Only of this form. */
                form?: number;
                /** @description Only in this folder. */
                status?: "inbox" | "spam" | "trash";
                /** @description From this day or moment on, ISO 8601. */
                after?: string;
                /** @description Up to this day or moment, without it. */
                before?: string;
                /** @description Only with this mail address in a field. */
                email?: string;
                /** @description Kind of the file. */
                format?: "csv" | "jsonl";
                /** @description Begin CSV with a byte order mark, for programs that need one. */
                bom?: boolean;
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error400"];
        };
    };
    post_console_api_submissions_mark: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Their numbers. */
                    ids: number[];
                    /**
                     * @description The folder.
                     * @enum {string}
                     */
                    status: "inbox" | "spam" | "trash";
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Numbers of those that lay elsewhere before. */
                        changed: number[];
                    };
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    get_console_api_submissions_id: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path: {
                /** @description Number of the submission. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Number of the submission. */
                        id: number;
                        /** @description The form that it came through. */
                        form: {
                            /** @description Number of the form. */
                            id: number;
                            /** @description Title of the form. */
                            title: string;
                        };
                        /**
                         * @description Folder that it lies in.
                         * @enum {string}
                         */
                        status: "inbox" | "spam" | "trash";
                        /** @description When it came, ISO 8601 in UTC. */
                        submitted_at: string;
                        /** @description What was filled in, by field; lists where there are several. */
                        fields: {
                            [key: string]: string | string[];
                        };
                        /** @description Files that came with it. */
                        files: {
                            /** @description Field that it came in. */
                            field: string;
                            /** @description Name of the file. */
                            name: string;
                            /** @description Type of the file. */
                            type: string;
                            /** @description Its size. */
                            bytes: number;
                        }[];
                        /** @description Its mail to those who run the site. */
                        mail: {
                            /** @description What became of it: none, queued, sent or failed. */
                            state: string;
                            /** @description Why it failed, or for whom. */
                            error: string;
                        };
                        /** @description Its second mail. */
                        mail_2: {
                            /** @description What became of it: none, queued, sent or failed. */
                            state: string;
                            /** @description Why it failed, or for whom. */
                            error: string;
                        };
                        /** @description What the spam filter says. */
                        spam: {
                            /** @description ham, spam or blatant; null before it is judged. */
                            verdict: string | null;
                            /** @description How sure that is. */
                            score: number | null;
                            /** @description What speaks for it. */
                            evidence: {
                                [key: string]: unknown;
                            }[];
                        };
                        /** @description Network address that it came from. */
                        address: string;
                        /** @description What its client said that it is. */
                        user_agent: string;
                        /** @description Page before the one with the form. */
                        referrer: string;
                        /** @description Page with the form. */
                        url: string;
                    };
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error400"];
        };
    };
    delete_console_api_submissions_id: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path: {
                /** @description Number of the submission. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description It is gone for good.
                         * @constant
                         */
                        deleted: true;
                        /** @description What it was. */
                        previous: {
                            /** @description Number of the submission. */
                            id: number;
                            /** @description The form that it came through. */
                            form: {
                                /** @description Number of the form. */
                                id: number;
                                /** @description Title of the form. */
                                title: string;
                            };
                            /**
                             * @description Folder that it lies in.
                             * @enum {string}
                             */
                            status: "inbox" | "spam" | "trash";
                            /** @description When it came, ISO 8601 in UTC. */
                            submitted_at: string;
                            /** @description What was filled in, by field; lists where there are several. */
                            fields: {
                                [key: string]: string | string[];
                            };
                            /** @description Files that came with it. */
                            files: {
                                /** @description Field that it came in. */
                                field: string;
                                /** @description Name of the file. */
                                name: string;
                                /** @description Type of the file. */
                                type: string;
                                /** @description Its size. */
                                bytes: number;
                            }[];
                            /** @description Its mail to those who run the site. */
                            mail: {
                                /** @description What became of it: none, queued, sent or failed. */
                                state: string;
                                /** @description Why it failed, or for whom. */
                                error: string;
                            };
                            /** @description Its second mail. */
                            mail_2: {
                                /** @description What became of it: none, queued, sent or failed. */
                                state: string;
                                /** @description Why it failed, or for whom. */
                                error: string;
                            };
                            /** @description What the spam filter says. */
                            spam: {
                                /** @description ham, spam or blatant; null before it is judged. */
                                verdict: string | null;
                                /** @description How sure that is. */
                                score: number | null;
                                /** @description What speaks for it. */
                                evidence: {
                                    [key: string]: unknown;
                                }[];
                            };
                            /** @description Network address that it came from. */
                            address: string;
                            /** @description What its client said that it is. */
                            user_agent: string;
                            /** @description Page before the one with the form. */
                            referrer: string;
                            /** @description Page with the form. */
                            url: string;
                        };
                    };
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    post_console_api_submissions_id_resend: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path: {
                /** @description Number of the submission. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Number of the submission. */
                        id: number;
                        /** @description The form that it came through. */
                        form: {
                            /** @description Number of the form. */
                            id: number;
                            /** @description Title of the form. */
                            title: string;
                        };
                        /**
                         * @description Folder that it lies in.
                         * @enum {string}
                         */
                        status: "inbox" | "spam" | "trash";
                        /** @description When it came, ISO 8601 in UTC. */
                        submitted_at: string;
                        /** @description What was filled in, by field; lists where there are several. */
                        fields: {
                            [key: string]: string | string[];
                        };
                        /** @description Files that came with it. */
                        files: {
                            /** @description Field that it came in. */
                            field: string;
                            /** @description Name of the file. */
                            name: string;
                            /** @description Type of the file. */
                            type: string;
                            /** @description Its size. */
                            bytes: number;
                        }[];
                        /** @description Its mail to those who run the site. */
                        mail: {
                            /** @description What became of it: none, queued, sent or failed. */
                            state: string;
                            /** @description Why it failed, or for whom. */
                            error: string;
                        };
                        /** @description Its second mail. */
                        mail_2: {
                            /** @description What became of it: none, queued, sent or failed. */
                            state: string;
                            /** @description Why it failed, or for whom. */
                            error: string;
                        };
                        /** @description What the spam filter says. */
                        spam: {
                            /** @description ham, spam or blatant; null before it is judged. */
                            verdict: string | null;
                            /** @description How sure that is. */
                            score: number | null;
                            /** @description What speaks for it. */
                            evidence: {
                                [key: string]: unknown;
                            }[];
                        };
                        /** @description Network address that it came from. */
                        address: string;
                        /** @description What its client said that it is. */
                        user_agent: string;
                        /** @description Page before the one with the form. */
                        referrer: string;
                        /** @description Page with the form. */
                        url: string;
                    };
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    get_console_api_personal_data: {
        parameters: {
            query: {
                /** @description Whose data it is. */
                email: string;
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description How many submissions there are, or were. */
                        submissions: number;
                        /** @description How many files. */
                        files: number;
                        /** @description How many mails in the local mailbox. */
                        mails: number;
                    };
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error400"];
        };
    };
    post_console_api_personal_data_erase: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: email
                     * @description Whose data it is.
                     */
                    email: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description How many submissions there are, or were. */
                        submissions: number;
                        /** @description How many files. */
                        files: number;
                        /** @description How many mails in the local mailbox. */
                        mails: number;
                    };
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    get_console_api_spamfilter_notices: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description What is wrong, for programs. */
                        code: string;
                        /** @description What is wrong and what to do, for people. */
                        message: string;
                    }[];
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error400"];
        };
    };
    get_console_api_seo_overrides_type_id: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path: {
                /** @description home, post (of any kind), term or user. */
                type: string;
                /** @description Number of the object; 0 of home. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description home, post, term or user. */
                        object_type: string;
                        /** @description Number of the object; 0 of home. */
                        object_id: number;
                        /** @description Title of the page. */
                        title: string | null;
                        /** @description Description of the page. */
                        description: string | null;
                        /** @description Address that stands for it in searches. */
                        canonical: string | null;
                        /** @description Title where it is shared. */
                        og_title: string | null;
                        /** @description Description where it is shared. */
                        og_description: string | null;
                        /** @description Whether searches leave it out. */
                        is_robots_noindex: boolean | null;
                        /** @description Whether its links are not followed. */
                        is_robots_nofollow: boolean | null;
                        /** @description Whether no copy of it is offered. */
                        is_robots_noarchive: boolean | null;
                        /** @description Whether searches leave its pictures out. */
                        is_robots_noimageindex: boolean | null;
                        /** @description Whether nothing of its text is shown. */
                        is_robots_nosnippet: boolean | null;
                        /** @description What it is to be found by; it is scored by that. */
                        primary_focus_keyword: string | null;
                        /** @description Whether others of the site are to lead to it. */
                        is_cornerstone: boolean | null;
                        /** @description How well it is to be found by its phrase, 0 to 100. */
                        primary_focus_keyword_score: number | null;
                        /** @description How well it reads, 0 to 100. */
                        readability_score: number | null;
                    };
                };
            };
            304: components["responses"]["NotModified"];
            default: components["responses"]["Error400"];
        };
    };
    put_console_api_seo_overrides_type_id: {
        parameters: {
            query?: {
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path: {
                /** @description home, post (of any kind), term or user. */
                type: string;
                /** @description Number of the object; 0 of home. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Title of the page. */
                    title?: string | null;
                    /** @description Description of the page. */
                    description?: string | null;
                    /** @description Address that stands for it in searches. */
                    canonical?: string | null;
                    /** @description Title where it is shared. */
                    og_title?: string | null;
                    /** @description Description where it is shared. */
                    og_description?: string | null;
                    /** @description Whether searches leave it out. */
                    is_robots_noindex?: boolean | null;
                    /** @description Whether its links are not followed. */
                    is_robots_nofollow?: boolean | null;
                    /** @description Whether no copy of it is offered. */
                    is_robots_noarchive?: boolean | null;
                    /** @description Whether searches leave its pictures out. */
                    is_robots_noimageindex?: boolean | null;
                    /** @description Whether nothing of its text is shown. */
                    is_robots_nosnippet?: boolean | null;
                    /** @description What it is to be found by; it is scored by that. */
                    primary_focus_keyword?: string | null;
                    /** @description Whether others of the site are to lead to it. */
                    is_cornerstone?: boolean | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description home, post, term or user. */
                        object_type: string;
                        /** @description Number of the object; 0 of home. */
                        object_id: number;
                        /** @description Title of the page. */
                        title: string | null;
                        /** @description Description of the page. */
                        description: string | null;
                        /** @description Address that stands for it in searches. */
                        canonical: string | null;
                        /** @description Title where it is shared. */
                        og_title: string | null;
                        /** @description Description where it is shared. */
                        og_description: string | null;
                        /** @description Whether searches leave it out. */
                        is_robots_noindex: boolean | null;
                        /** @description Whether its links are not followed. */
                        is_robots_nofollow: boolean | null;
                        /** @description Whether no copy of it is offered. */
                        is_robots_noarchive: boolean | null;
                        /** @description Whether searches leave its pictures out. */
                        is_robots_noimageindex: boolean | null;
                        /** @description Whether nothing of its text is shown. */
                        is_robots_nosnippet: boolean | null;
                        /** @description What it is to be found by; it is scored by that. */
                        primary_focus_keyword: string | null;
                        /** @description Whether others of the site are to lead to it. */
                        is_cornerstone: boolean | null;
                        /** @description How well it is to be found by its phrase, 0 to 100. */
                        primary_focus_keyword_score: number | null;
                        /** @description How well it reads, 0 to 100. */
                        readability_score: number | null;
                    };
                };
            };
            default: components["responses"]["Error400"];
        };
    };
    get_console_api_head: {
        parameters: {
            query: {
                /** @description Public address of the site, whole or from the path on. */
                url: string;
                /** @description Names of the fields to answer, in items and in lists of them; dotted names reach into objects. Others are left out, required ones too, and an object that keeps nothing is an empty list. */
                _fields?: components["parameters"]["fields"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Elements of the head: title, meta, link and structured data. */
                        html: string;
                        /** @description The same as data. */
                        json: {
                            [key: string]: unknown;
                        };
                    };
                    "text/html": string;
                };
            };
            304: components["responses"]["NotModified"];
            /** @description There is no such thing, or no such page of a list. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "text/html": string;
                };
            };
            default: components["responses"]["Error400"];
        };
    };
}
