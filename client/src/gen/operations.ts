// Generated from the OpenAPI document by `npm run client`; not to be edited.
export const operations = {
  oembed: {
    embed: {
      /** oEmbed data of a page of this site */
      get: ["get","/oembed/1.0/embed"],
    },
    proxy: {
      /** oEmbed data of a resource anywhere */
      get: ["get","/oembed/1.0/proxy"],
    },
  },
  calendar: {
    doc: {
      /** Describe the calendar routes */
      get: ["get","/calendar/events/v1/doc"],
    },
    events: {
      /** List events */
      list: ["get","/calendar/events/v1/events",{"size":50,"key":"events"}],
      /** Create an event */
      create: ["post","/calendar/events/v1/events"],
      /** Read an event by id */
      get: ["get","/calendar/events/v1/events/{id}"],
      /** Change an event by id */
      update: ["patch","/calendar/events/v1/events/{id}"],
      /** Move an event to the trash by id */
      delete: ["delete","/calendar/events/v1/events/{id}"],
      bySlug: {
        /** Read an event by slug */
        get: ["get","/calendar/events/v1/events/by-slug/{slug}"],
        /** Change an event by slug */
        update: ["patch","/calendar/events/v1/events/by-slug/{slug}"],
        /** Move an event to the trash by slug */
        delete: ["delete","/calendar/events/v1/events/by-slug/{slug}"],
      },
    },
    venues: {
      /** List venues */
      list: ["get","/calendar/events/v1/venues",{"size":50,"key":"venues"}],
      /** Create a venue */
      create: ["post","/calendar/events/v1/venues"],
      /** Read a venue by id */
      get: ["get","/calendar/events/v1/venues/{id}"],
      /** Move a venue to the trash by id */
      delete: ["delete","/calendar/events/v1/venues/{id}"],
      /** Change a venue by id */
      update: ["patch","/calendar/events/v1/venues/{id}"],
      bySlug: {
        /** Read a venue by slug */
        get: ["get","/calendar/events/v1/venues/by-slug/{slug}"],
        /** Move a venue to the trash by slug */
        delete: ["delete","/calendar/events/v1/venues/by-slug/{slug}"],
        /** Change a venue by slug */
        update: ["patch","/calendar/events/v1/venues/by-slug/{slug}"],
      },
    },
    organizers: {
      /** List organizers */
      list: ["get","/calendar/events/v1/organizers",{"size":50,"key":"organizers"}],
      /** Create an organizer */
      create: ["post","/calendar/events/v1/organizers"],
      /** Read an organizer by id */
      get: ["get","/calendar/events/v1/organizers/{id}"],
      /** Move an organizer to the trash by id */
      delete: ["delete","/calendar/events/v1/organizers/{id}"],
      /** Change an organizer by id */
      update: ["patch","/calendar/events/v1/organizers/{id}"],
      bySlug: {
        /** Read an organizer by slug */
        get: ["get","/calendar/events/v1/organizers/by-slug/{slug}"],
        /** Move an organizer to the trash by slug */
        delete: ["delete","/calendar/events/v1/organizers/by-slug/{slug}"],
        /** Change an organizer by slug */
        update: ["patch","/calendar/events/v1/organizers/by-slug/{slug}"],
      },
    },
    categories: {
      /** List event categories */
      list: ["get","/calendar/events/v1/categories",{"size":50,"key":"categories"}],
      /** Create an event category */
      create: ["post","/calendar/events/v1/categories"],
      /** Read an event category */
      get: ["get","/calendar/events/v1/categories/{id}"],
      /** Delete an event category for good */
      delete: ["delete","/calendar/events/v1/categories/{id}"],
      /** Change an event category */
      update: ["patch","/calendar/events/v1/categories/{id}"],
    },
    tags: {
      /** List event tags */
      list: ["get","/calendar/events/v1/tags",{"size":50,"key":"tags"}],
      /** Create an event tag */
      create: ["post","/calendar/events/v1/tags"],
      /** Read an event tag */
      get: ["get","/calendar/events/v1/tags/{id}"],
      /** Delete an event tag for good */
      delete: ["delete","/calendar/events/v1/tags/{id}"],
      /** Change an event tag */
      update: ["patch","/calendar/events/v1/tags/{id}"],
    },
    texts: {
      /** Read texts as they were written */
      get: ["get","/calendar/events/v1/texts"],
    },
  },
  imports: {
    import: {
      batch: {
        /** Deliver a batch of events */
        send: ["post","/calendar/event-aggregator/v1/import/{import_id}/batch"],
      },
      state: {
        /** Report the state of an import */
        send: ["post","/calendar/event-aggregator/v1/import/{import_id}/state"],
      },
    },
  },
  forms: {
    contactForms: {
      /** List contact forms */
      list: ["get","/contact-form/v1/contact-forms"],
      /** Create a contact form */
      create: ["post","/contact-form/v1/contact-forms"],
      /** Read a contact form */
      get: ["get","/contact-form/v1/contact-forms/{id}"],
      /** Change a contact form */
      update: ["patch","/contact-form/v1/contact-forms/{id}"],
      /** Delete a contact form */
      delete: ["delete","/contact-form/v1/contact-forms/{id}"],
      feedback: {
        /** Submit a contact form */
        send: ["post","/contact-form/v1/contact-forms/{id}/feedback"],
      },
      refill: {
        /** Fresh quiz questions of a contact form */
        get: ["get","/contact-form/v1/contact-forms/{id}/refill"],
      },
    },
  },
  spamfilter: {
    key: {
      /** Read the key */
      get: ["get","/spamfilter/v1/key"],
      /** Set the key */
      update: ["patch","/spamfilter/v1/key"],
      /** Remove the key */
      delete: ["delete","/spamfilter/v1/key"],
    },
    settings: {
      /** Read the settings */
      get: ["get","/spamfilter/v1/settings"],
      /** Change the settings */
      update: ["patch","/spamfilter/v1/settings"],
    },
    stats: {
      /** Statistics of a period */
      list: ["get","/spamfilter/v1/stats"],
      /** Statistics of a period named by one letter */
      get: ["get","/spamfilter/v1/stats/{interval}"],
    },
  },
  seo: {
    configurator: {
      /** Read the configuration and its form */
      get: ["get","/seo/v1/configurator"],
      /** Change the configuration */
      send: ["post","/seo/v1/configurator"],
    },
    reindexPosts: {
      /** Index the next posts anew */
      get: ["get","/seo/v1/reindex_posts"],
    },
    externalCheck: {
      /** Whether search engines can fetch the site */
      get: ["get","/seo/v1/external_check"],
    },
    indexables: {
      /** Read the indexable of an object */
      get: ["get","/seo/v1/indexables/{object_type}/{object_id}"],
    },
    statistics: {
      /** Count posts by their score */
      get: ["get","/seo/v1/statistics"],
    },
  },
  posts: {
    /** List posts */
    list: ["get","/core/v2/posts",{"size":100}],
    /** Create a post */
    create: ["post","/core/v2/posts"],
    /** Read a post */
    get: ["get","/core/v2/posts/{id}"],
    /** Update a post */
    update: ["patch","/core/v2/posts/{id}"],
    /** Move a post to the trash, or delete it for good */
    delete: ["delete","/core/v2/posts/{id}"],
    revisions: {
      /** List the revisions of a post, newest first */
      list: ["get","/core/v2/posts/{parent}/revisions",{"size":100}],
      /** Read a revision of a post */
      get: ["get","/core/v2/posts/{parent}/revisions/{id}"],
      /** Delete a revision of a post for good */
      delete: ["delete","/core/v2/posts/{parent}/revisions/{id}"],
    },
  },
  pages: {
    /** List pages */
    list: ["get","/core/v2/pages",{"size":100}],
    /** Create a page */
    create: ["post","/core/v2/pages"],
    /** Read a page */
    get: ["get","/core/v2/pages/{id}"],
    /** Update a page */
    update: ["patch","/core/v2/pages/{id}"],
    /** Move a page to the trash, or delete it for good */
    delete: ["delete","/core/v2/pages/{id}"],
    revisions: {
      /** List the revisions of a page, newest first */
      list: ["get","/core/v2/pages/{parent}/revisions",{"size":100}],
      /** Read a revision of a page */
      get: ["get","/core/v2/pages/{parent}/revisions/{id}"],
      /** Delete a revision of a page for good */
      delete: ["delete","/core/v2/pages/{parent}/revisions/{id}"],
    },
  },
  media: {
    /** Lists media that the caller may see */
    list: ["get","/core/v2/media",{"size":100}],
    /** Uploads a file, as the body or as the part `file` of a form */
    upload: ["post","/core/v2/media",{"file":"file"}],
    /** Reads an attachment */
    get: ["get","/core/v2/media/{id}"],
    /** Changes an attachment; its file stays */
    update: ["patch","/core/v2/media/{id}"],
    /** Deletes an attachment with its files */
    delete: ["delete","/core/v2/media/{id}"],
  },
  users: {
    /** List users */
    list: ["get","/core/v2/users",{"size":100}],
    /** Create a user */
    create: ["post","/core/v2/users"],
    /** Read a user */
    get: ["get","/core/v2/users/{id}"],
    /** Update a user */
    update: ["patch","/core/v2/users/{id}"],
    /** Delete a user */
    delete: ["delete","/core/v2/users/{id}"],
    me: {
      /** Read the user who is logged in */
      get: ["get","/core/v2/users/me"],
      /** Update the user who is logged in */
      update: ["patch","/core/v2/users/me"],
      /** Delete the user who is logged in */
      delete: ["delete","/core/v2/users/me"],
    },
  },
  comments: {
    /** List comments */
    list: ["get","/core/v2/comments",{"size":100}],
    /** Write a comment */
    create: ["post","/core/v2/comments"],
    /** Read a comment */
    get: ["get","/core/v2/comments/{id}"],
    /** Change a comment */
    update: ["patch","/core/v2/comments/{id}"],
    /** Move a comment to the trash, or delete it for good */
    delete: ["delete","/core/v2/comments/{id}"],
  },
  categories: {
    /** List categories */
    list: ["get","/core/v2/categories",{"size":100}],
    /** Create a category */
    create: ["post","/core/v2/categories"],
    /** Read a category */
    get: ["get","/core/v2/categories/{id}"],
    /** Change a category */
    update: ["patch","/core/v2/categories/{id}"],
    /** Delete a category */
    delete: ["delete","/core/v2/categories/{id}"],
  },
  tags: {
    /** List tags */
    list: ["get","/core/v2/tags",{"size":100}],
    /** Create a tag */
    create: ["post","/core/v2/tags"],
    /** Read a tag */
    get: ["get","/core/v2/tags/{id}"],
    /** Change a tag */
    update: ["patch","/core/v2/tags/{id}"],
    /** Delete a tag */
    delete: ["delete","/core/v2/tags/{id}"],
  },
  calendarEventsCat: {
    /** List event categories */
    list: ["get","/core/v2/calendar_events_cat",{"size":100}],
    /** Create an event category */
    create: ["post","/core/v2/calendar_events_cat"],
    /** Read an event category */
    get: ["get","/core/v2/calendar_events_cat/{id}"],
    /** Change an event category */
    update: ["patch","/core/v2/calendar_events_cat/{id}"],
    /** Delete an event category */
    delete: ["delete","/core/v2/calendar_events_cat/{id}"],
  },
  types: {
    /** List post types */
    list: ["get","/core/v2/types"],
    /** Read a post type */
    get: ["get","/core/v2/types/{type}"],
  },
  statuses: {
    /** List post statuses */
    list: ["get","/core/v2/statuses"],
    /** Read a post status */
    get: ["get","/core/v2/statuses/{status}"],
  },
  taxonomies: {
    /** List taxonomies */
    list: ["get","/core/v2/taxonomies"],
    /** Read a taxonomy */
    get: ["get","/core/v2/taxonomies/{taxonomy}"],
  },
  settings: {
    /** Read the settings of the site */
    get: ["get","/core/v2/settings"],
    /** Change settings of the site */
    update: ["patch","/core/v2/settings"],
  },
  console: {
    sessions: {
      /** Log in with a password or an application password: an access token for the interface, and a refresh token for the next one */
      create: ["post","/console/api/sessions"],
      /** List the caller's sessions, the newest first */
      list: ["get","/console/api/sessions"],
      /** End all of the caller's sessions, this one too */
      deleteAll: ["delete","/console/api/sessions"],
      refresh: {
        /** Exchange the refresh token for a new one and an access token; one that was exchanged before ends the session */
        send: ["post","/console/api/sessions/refresh"],
      },
      /** End a session of the caller's: within a second its tokens open nothing any more */
      delete: ["delete","/console/api/sessions/{id}"],
    },
    applicationPasswords: {
      /** List application passwords that work, the newest first */
      list: ["get","/console/api/application-passwords"],
      /** Make an application password; its secret is told this once */
      create: ["post","/console/api/application-passwords"],
      /** Revoke an application password: within a second it opens nothing any more */
      delete: ["delete","/console/api/application-passwords/{id}"],
    },
    webhooks: {
      /** List webhooks, the oldest first; those that are disabled say why */
      list: ["get","/console/api/webhooks"],
      /** Register a webhook; its secret is told this once */
      create: ["post","/console/api/webhooks"],
      topics: {
        /** All topics that webhooks can be told of */
        get: ["get","/console/api/webhooks/topics"],
      },
      /** Read a webhook */
      get: ["get","/console/api/webhooks/{id}"],
      /** Change a webhook, disable it or set it to work again; what is absent stays */
      update: ["patch","/console/api/webhooks/{id}"],
      /** Delete a webhook with its deliveries; once this is answered, nothing more is sent */
      delete: ["delete","/console/api/webhooks/{id}"],
      secret: {
        /** Make a new secret, told this once; the one before signs as well for a day */
        send: ["post","/console/api/webhooks/{id}/secret"],
      },
      ping: {
        /** Send a delivery that only says that it came */
        send: ["post","/console/api/webhooks/{id}/ping"],
      },
      deliveries: {
        /** List the deliveries of a webhook, the newest first */
        list: ["get","/console/api/webhooks/{id}/deliveries",{"cursor":"older_than","key":"deliveries"}],
        redeliver: {
          /** Send a delivery again, under the id that it had and with what is to be seen now */
          send: ["post","/console/api/webhooks/{id}/deliveries/{delivery}/redeliver"],
        },
      },
    },
    imports: {
      /** List imports, the newest first */
      list: ["get","/console/api/imports",{"size":100,"id":"import_id"}],
      /** Register an import; its first batch carries the hash of the answer */
      create: ["post","/console/api/imports"],
      /** Read an import with its newest batches and faults */
      get: ["get","/console/api/imports/{import_id}"],
      progress: {
        /** How an import goes, for its sender (X-Batch-Hash) or who manages imports; those may also follow it as server-sent events */
        get: ["get","/console/api/imports/{import_id}/progress"],
      },
      retry: {
        /** Put a failed batch back to work */
        send: ["post","/console/api/imports/{import_id}/retry"],
      },
      resume: {
        /** Take up a stalled or failed import again; a failed one goes on under a new hash, a stalled one under its own */
        send: ["post","/console/api/imports/{import_id}/resume"],
      },
    },
    submissions: {
      /** List submissions, the newest first */
      list: ["get","/console/api/submissions",{"cursor":"older_than","key":"submissions"}],
      export: {
        /** All submissions that a filter finds, as a file */
        get: ["get","/console/api/submissions/export"],
      },
      mark: {
        /** Move submissions to a folder; the spam filter learns from it */
        send: ["post","/console/api/submissions/mark"],
      },
      /** Read a submission */
      get: ["get","/console/api/submissions/{id}"],
      /** Delete a submission for good, with its files */
      delete: ["delete","/console/api/submissions/{id}"],
      resend: {
        /** Send the mails of a submission once more */
        send: ["post","/console/api/submissions/{id}/resend"],
      },
    },
    personalData: {
      /** How much came with a mail address through forms */
      get: ["get","/console/api/personal-data"],
      erase: {
        /** Erase all that came with a mail address through forms; that it was erased is kept */
        send: ["post","/console/api/personal-data/erase"],
      },
    },
    spamfilter: {
      notices: {
        /** What is wrong with the spam filter and wants somebody to do something */
        get: ["get","/console/api/spamfilter/notices"],
      },
    },
    seo: {
      overrides: {
        /** What was chosen for an object instead of what templates make */
        get: ["get","/console/api/seo/overrides/{type}/{id}"],
        /** Choose for an object; what is null templates make again, what is absent stays */
        update: ["put","/console/api/seo/overrides/{type}/{id}"],
      },
    },
    head: {
      /** Everything that belongs into the head of a page of the site, also of one that says that nothing is there, as data or, if asked for, as HTML */
      get: ["get","/console/api/head"],
    },
  },
} as const;
