{{/* The pod of a process. */}}

{{- define "sevenfold.podSpec" -}}
{{- $root := .root -}}
{{- $own := .own -}}
{{- $serves := eq .role "api" -}}
{{- $asked := ternary "public" "http" .row.public -}}
{{- $inside := ternary "metrics" "http" .row.public -}}
serviceAccountName: {{ include "sevenfold.objectName" . }}
automountServiceAccountToken: false
# Variables made of the Services of the namespace would only be noise, and could meet a name of ours.
enableServiceLinks: false
terminationGracePeriodSeconds: {{ add (int $root.Values.leaveSeconds) (int $own.shutdownSeconds) 5 }}
securityContext:
  {{- include "sevenfold.podSecurity" 1000 | nindent 2 }}
{{- include "sevenfold.imagePullSecrets" $root }}
{{- with $own.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with $own.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $own.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $own.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
topologySpreadConstraints:
{{- if $own.spread }}
  {{- toYaml $own.spread | nindent 2 }}
{{- else }}
{{- $process := . }}
{{- range $key := list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
  - maxSkew: 1
    topologyKey: {{ $key }}
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "sevenfold.selector" $process | nindent 8 }}
    matchLabelKeys:
      - pod-template-hash
{{- end }}
{{- end }}
containers:
  - name: {{ .service }}
    image: {{ include "sevenfold.image" $root }}
    imagePullPolicy: {{ $root.Values.image.pullPolicy }}
    args:
      - {{ .row.program }}
    env:
      {{- include "sevenfold.environment" . | trim | nindent 6 }}
    ports:
      - name: {{ $asked }}
        containerPort: 8080
      {{- if .row.public }}
      - name: metrics
        containerPort: 9100
      {{- else if $serves }}
      - name: grpc
        containerPort: 9090
      {{- end }}
    # It has come up: until then nothing else is asked of it.
    startupProbe:
      {{- include "sevenfold.probe" (dict "path" "/healthz" "port" $inside) | nindent 6 }}
      periodSeconds: 1
      timeoutSeconds: 2
      failureThreshold: 60
    # It can answer now: its database is there. Whoever is not ready gets no requests, and is left to become ready again. All replicas
    # have the same database: a slow moment of it must not take them all away; whose process is gone is known by its connections.
    readinessProbe:
      {{- include "sevenfold.probe" (dict "path" "/readyz" "port" $asked) | nindent 6 }}
      periodSeconds: 3
      timeoutSeconds: 2
      failureThreshold: 5
    # Its event loop turns. A database that is away is no reason to start it again, so nothing else is asked, and where everybody
    # may connect not there: a flood that takes all connections would have every gateway started again, and cut off whom it serves.
    livenessProbe:
      {{- include "sevenfold.probe" (dict "path" "/healthz" "port" $inside) | nindent 6 }}
      periodSeconds: 10
      timeoutSeconds: 5
      failureThreshold: 6
    securityContext:
      {{- include "sevenfold.containerSecurity" . | nindent 6 }}
    resources:
      {{- toYaml $own.resources | nindent 6 }}
    volumeMounts:
      - name: tmp
        mountPath: /tmp
      {{- range .row.stores }}
      - name: {{ .name }}
        mountPath: /data/{{ .name }}
      {{- end }}
      {{- include "sevenfold.tlsMounts" . | trim | nindent 6 }}
volumes:
  - name: tmp
    emptyDir:
      sizeLimit: 2Gi
  {{- range .row.stores }}
  - name: {{ .name }}
    {{- $store := get $root.Values.storage .name }}
    {{- if $store.bucket }}
    emptyDir:
      sizeLimit: 1Gi
    {{- else }}
    persistentVolumeClaim:
      claimName: {{ default (printf "%s-%s" (include "sevenfold.fullname" $root) .name) $store.existingClaim }}
    {{- end }}
  {{- end }}
  {{- include "sevenfold.tlsVolumes" . | trim | nindent 2 }}
{{- end }}

{{- define "sevenfold.probe" -}}
httpGet:
  path: {{ .path }}
  port: {{ .port }}
{{- end }}

{{/* Files with certificates, where the process is told of them. */}}
{{- define "sevenfold.tlsFiles" -}}
{{- $values := .root.Values -}}
{{- if and $values.grpcTls.enabled (has "GRPC_TLS_CERT" .row.variables) }}
- name: tls-grpc
  folder: grpc
  secret: {{ default (printf "%s-tls" (include "sevenfold.objectName" .)) $values.grpcTls.existingSecret }}
{{- end }}
{{- if and $values.redis.caSecret (has "REDIS_URL" .row.variables) }}
- name: tls-redis
  folder: redis
  secret: {{ $values.redis.caSecret }}
{{- end }}
{{- if and $values.mail.caSecret (has "SMTP_TLS_CA" .row.variables) }}
- name: tls-mail
  folder: mail
  secret: {{ $values.mail.caSecret }}
{{- end }}
{{- if and $values.postgresql.caSecret .row.database }}
- name: tls-postgresql
  folder: postgresql
  secret: {{ $values.postgresql.caSecret }}
{{- end }}
{{- end }}

{{- define "sevenfold.tlsMounts" -}}
{{- range include "sevenfold.tlsFiles" . | fromYamlArray }}
- name: {{ .name }}
  mountPath: /tls/{{ .folder }}
  readOnly: true
{{- end }}
{{- end }}

{{- define "sevenfold.tlsVolumes" -}}
{{- range include "sevenfold.tlsFiles" . | fromYamlArray }}
- name: {{ .name }}
  secret:
    secretName: {{ .secret }}
    # 0440, which not every reader of YAML takes for an octal number.
    defaultMode: 288
{{- end }}
{{- end }}

{{/* Calls a template for each process of the catalog: dict root, template. */}}
{{- define "sevenfold.eachProcess" -}}
{{- $root := .root -}}
{{- $template := .template -}}
{{- range $service, $row := (include "sevenfold.catalog" $root | fromJson).services }}
{{- range $process := $row.processes }}
{{- $one := dict "root" $root "service" $service "row" $row "role" $process.role "name" $process.name "secret" (include "sevenfold.secretName" $root) }}
{{- $_ := set $one "own" (include "sevenfold.processValues" $one | fromJson) }}
{{- with include $template $one | trim }}
---
{{ . }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
