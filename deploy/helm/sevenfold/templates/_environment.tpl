{{/*
The environment of a process: only variables that its configuration data knows. The first that says something counts: the
process' own values, its service's, those for all; what the chart sets is nobody's to replace, but for addresses with passwords.
*/}}

{{- define "sevenfold.environment" -}}
{{- $root := .root -}}
{{- $row := .row -}}
{{- $service := default dict (get $root.Values.services .service) -}}
{{- $secretEnv := default dict $service.secretEnv -}}
{{- $given := mergeOverwrite (deepCopy (default dict $root.Values.env)) (deepCopy (default dict $service.env)) (deepCopy (default dict .own.env)) -}}
{{- $set := include "sevenfold.settings" . | fromYaml -}}
{{- $keys := include "sevenfold.secretKeys" . | fromYaml -}}
{{- if has "DATABASE_URL" $row.variables }}
{{- $reads := and (eq .role "api") (has "DATABASE_REPLICA_URL" $row.variables) }}
{{ include "sevenfold.databaseEnvironment" (dict "root" $root "service" .service "secretEnv" $secretEnv "secret" .secret "reads" $reads) }}
{{- end }}
{{- if and (has "REDIS_URL" $row.variables) (not (hasKey $secretEnv "REDIS_URL")) }}
{{ include "sevenfold.redisEnvironment" . }}
{{- end }}
{{- range $variable := $row.variables }}
{{- if hasKey $secretEnv $variable }}
{{- $key := get $secretEnv $variable }}
- name: {{ $variable }}
  valueFrom:
    secretKeyRef:
      name: {{ $key.name }}
      key: {{ $key.key }}
{{- else if hasKey $keys $variable }}
{{- $key := get $keys $variable }}
- name: {{ $variable }}
  valueFrom:
    secretKeyRef:
      name: {{ $key.name }}
      key: {{ $variable }}
      {{- if $key.optional }}
      optional: true
      {{- end }}
{{- else if hasKey $set $variable }}
{{- if ne (get $set $variable | toString) "" }}
- name: {{ $variable }}
  value: {{ get $set $variable | quote }}
{{- end }}
{{- else if and (has $variable $row.free) (hasKey $given $variable) }}
- name: {{ $variable }}
  value: {{ include "sevenfold.text" (get $given $variable) | quote }}
{{- end }}
{{- end }}
{{- end }}

{{/* What the chart says by itself, by name; the empty string leaves a variable out. */}}
{{- define "sevenfold.settings" -}}
{{- $root := .root -}}
{{- $values := $root.Values -}}
ROLE: {{ .role }}
HTTP_HOST: 0.0.0.0
HTTP_PORT: "8080"
GRPC_PORT: {{ ternary "9090" "" (eq .role "api") | quote }}
METRICS_PORT: "9100"
SITE_URL: {{ $values.site.url | quote }}
SITE_TIMEZONE: {{ $values.site.timezone | quote }}
SITE_TITLE: {{ $values.site.title | quote }}
LOG_LEVEL: {{ $values.site.logLevel }}
INSTANCE_ID: {{ default (printf "%s.%s" $root.Release.Namespace $root.Release.Name) $values.site.instanceId | quote }}
LEAVE_SECONDS: {{ ternary (include "sevenfold.text" $values.leaveSeconds) "" (eq .role "api") | quote }}
SHUTDOWN_SECONDS: {{ include "sevenfold.text" (default "" .own.shutdownSeconds) | quote }}
ADMIN_USERNAME: {{ $values.administrator.username | quote }}
ADMIN_EMAIL: {{ $values.administrator.email | quote }}
REDIS_PREFIX: {{ $values.redis.prefix | quote }}
REDIS_TLS_CA: {{ ternary "/tls/redis/ca.crt" "" (not (empty $values.redis.caSecret)) | quote }}
SMTP_TLS_CA: {{ ternary "/tls/mail/ca.crt" "" (not (empty $values.mail.caSecret)) | quote }}
S3_ENDPOINT: {{ $values.storage.s3.endpoint | quote }}
S3_REGION: {{ $values.storage.s3.region | quote }}
{{- range $store := .row.stores }}
{{ $store.bucket }}: {{ (get $values.storage $store.name).bucket | quote }}
{{ $store.folder }}: /data/{{ $store.name }}
{{- end }}
{{- if $values.grpcTls.enabled }}
GRPC_TLS_CERT: /tls/grpc/tls.crt
GRPC_TLS_KEY: /tls/grpc/tls.key
GRPC_TLS_CA: /tls/grpc/ca.crt
{{- end }}
{{- range $address := .row.addresses }}
{{- $host := printf "%s-%s" (include "sevenfold.fullname" $root) $address.service }}
{{- if eq $address.kind "grpc" }}
{{ $address.variable }}: dns:///{{ $host }}-grpc.{{ $root.Release.Namespace }}.svc:9090
{{- else }}
{{ $address.variable }}: http://{{ $host }}.{{ $root.Release.Namespace }}.svc:8080
{{- end }}
{{- end }}
{{- end }}

{{/* Variables that are keys of the same name in a Secret. */}}
{{- define "sevenfold.secretKeys" -}}
ACTOR_SECRET: { name: {{ .secret }} }
SPAM_KEY_SECRETS: { name: {{ .secret }} }
{{- /* A Secret of the operator's may be older than it. */}}
TOKEN_KEYS: { name: {{ .secret }}, optional: true }
{{- if eq .role "api" }}
ADMIN_PASSWORD: { name: {{ .secret }} }
ADMIN_APPLICATION_PASSWORD: { name: {{ .secret }} }
{{- end }}
{{- if .root.Values.storage.s3.endpoint }}
{{- $s3 := default .secret .root.Values.storage.s3.secret }}
S3_ACCESS_KEY_ID: { name: {{ $s3 }} }
S3_SECRET_ACCESS_KEY: { name: {{ $s3 }} }
{{- end }}
{{- end }}

{{/* Where the database of a service is: host, port, directHost, directPort, replicaHost, replicaPort, name, user. */}}
{{- define "sevenfold.databasePlace" -}}
{{- $all := .root.Values.postgresql -}}
{{- $own := default dict (default dict (get .root.Values.services .service)).database -}}
{{- $name := printf "%s%s" $all.prefix .service -}}
{{- /* What was said of a server elsewhere says nothing of the one in the release. */ -}}
{{- if $all.bundled.enabled -}}
{{- $all = dict "host" (printf "%s-postgresql" (include "sevenfold.fullname" .root)) "port" 5432 -}}
{{- end -}}
{{- $place := dict "host" $all.host "port" $all.port "directHost" "" "directPort" 0 "replicaHost" "" "replicaPort" 0 "name" $name "user" $name -}}
{{- if $all.directHost }}{{ $_ := set $place "directHost" $all.directHost }}{{ $_ := set $place "directPort" $all.directPort }}{{ end -}}
{{- if $all.replicaHost }}{{ $_ := set $place "replicaHost" $all.replicaHost }}{{ $_ := set $place "replicaPort" $all.replicaPort }}{{ end -}}
{{- if $own.host }}{{ $_ := set $place "directHost" "" }}{{ $_ := set $place "replicaHost" "" }}{{ end -}}
{{- mergeOverwrite $place (deepCopy $own) | toJson -}}
{{- end }}

{{- define "sevenfold.databaseParameters" -}}
{{- $all := .Values.postgresql -}}
{{- $words := list -}}
{{- if $all.parameters }}{{ $words = append $words $all.parameters }}{{ end -}}
{{- if $all.caSecret }}{{ $words = append $words "sslrootcert=/tls/postgresql/ca.crt" }}{{ end -}}
{{- with $words }}?{{ join "&" . }}{{ end -}}
{{- end }}

{{- define "sevenfold.databaseEnvironment" -}}
{{- $place := include "sevenfold.databasePlace" . | fromJson -}}
{{- $parameters := include "sevenfold.databaseParameters" .root -}}
{{- if not (hasKey .secretEnv "DATABASE_URL") -}}
{{- if not $place.host }}
{{- fail (printf "Where is the database of %s? Set postgresql.host, postgresql.bundled.enabled, services.%s.database.host or services.%s.secretEnv.DATABASE_URL." .service .service .service) }}
{{- end -}}
- name: DATABASE_PASSWORD
  valueFrom:
    secretKeyRef:
      name: {{ .secret }}
      key: {{ upper .service }}_DATABASE_PASSWORD
- name: DATABASE_URL
  value: postgresql://{{ $place.user }}:$(DATABASE_PASSWORD)@{{ $place.host }}:{{ int $place.port }}/{{ $place.name }}{{ $parameters }}
{{- if and $place.directHost (not (hasKey .secretEnv "DATABASE_DIRECT_URL")) }}
- name: DATABASE_DIRECT_URL
  value: postgresql://{{ $place.user }}:$(DATABASE_PASSWORD)@{{ $place.directHost }}:{{ int (default $place.port $place.directPort) }}/{{ $place.name }}{{ $parameters }}
{{- end }}
{{- if and .reads $place.replicaHost (not (hasKey .secretEnv "DATABASE_REPLICA_URL")) }}
- name: DATABASE_REPLICA_URL
  value: postgresql://{{ $place.user }}:$(DATABASE_PASSWORD)@{{ $place.replicaHost }}:{{ int (default $place.port $place.replicaPort) }}/{{ $place.name }}{{ $parameters }}
{{- end }}
{{- end }}
{{- end }}

{{- define "sevenfold.redisEnvironment" -}}
{{- $redis := .root.Values.redis -}}
{{- /* What was said of a server elsewhere says nothing of the one in the release. */ -}}
{{- if $redis.bundled.enabled -}}
{{- $host := printf "%s-redis" (include "sevenfold.fullname" .root) -}}
{{- $redis = dict "host" $host "port" 6379 "username" "" "auth" true "tls" false "sentinel" (dict "master" "") -}}
{{- end -}}
{{- if not $redis.host }}
{{- fail "Where is Redis? Set redis.host, redis.bundled.enabled or services.NAME.secretEnv.REDIS_URL for each service." }}
{{- end -}}
{{- /* Sentinels may want it where the server itself does not: what no variable holds would stay in the address as it is written. */ -}}
{{- if or $redis.auth (and $redis.sentinel.master $redis.sentinel.auth) -}}
- name: REDIS_PASSWORD
  valueFrom:
    secretKeyRef:
      name: {{ .secret }}
      key: REDIS_PASSWORD
{{ end -}}
- name: REDIS_URL
  value: {{ ternary "rediss" "redis" $redis.tls }}{{ include "sevenfold.redisPlace" $redis }}
{{- end }}

{{/* What follows the scheme: a server, or Sentinels and what they call the master. */}}
{{- define "sevenfold.redisPlace" -}}
{{- $account := ternary (printf "%s:$(REDIS_PASSWORD)@" .username) "" .auth -}}
{{- if not .sentinel.master -}}
://{{ $account }}{{ .host }}:{{ int .port }}
{{- else -}}
{{- $words := list (printf "master=%s" (urlquery .sentinel.master)) -}}
{{- range .sentinel.others }}{{ $words = append $words (printf "sentinel=%s" .) }}{{ end -}}
{{- if .sentinel.auth }}{{ $words = append $words "sentinelPassword=$(REDIS_PASSWORD)" }}{{ end -}}
+sentinel://{{ $account }}{{ .host }}:{{ int .port }}/0?{{ join "&" $words }}
{{- end -}}
{{- end }}
