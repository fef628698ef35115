{{/* Names and labels. A "process" is a dict: root, service (name), row (of the catalog), role, name. */}}

{{- define "sevenfold.catalog" -}}
{{- .Files.Get "files/catalog.json" -}}
{{- end }}

{{- define "sevenfold.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- if contains $name .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}
{{- end }}

{{- define "sevenfold.chartName" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 40 | trimSuffix "-" -}}
{{- end }}

{{/* What a selector names: it may never change. */}}
{{- define "sevenfold.selector" -}}
app.kubernetes.io/name: {{ include "sevenfold.chartName" .root }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .name }}
{{- end }}

{{- define "sevenfold.labels" -}}
{{ include "sevenfold.selector" . }}
app.kubernetes.io/part-of: sevenfold
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- with .root.Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "sevenfold.objectName" -}}
{{ include "sevenfold.fullname" .root }}-{{ .name }}
{{- end }}

{{/* The values of a process: those of its own over the usual ones of its role. */}}
{{- define "sevenfold.processValues" -}}
{{- $usual := deepCopy (get .root.Values.defaults .role) -}}
{{- $own := default dict (get (default dict (get .root.Values.services .service)) .role) -}}
{{- mergeOverwrite $usual (deepCopy $own) | toJson -}}
{{- end }}

{{- define "sevenfold.image" -}}
{{- $image := .Values.image -}}
{{- $name := $image.repository -}}
{{- if $image.registry }}{{ $name = printf "%s/%s" $image.registry $name }}{{ end -}}
{{- if $image.digest -}}
{{ $name }}@{{ $image.digest }}
{{- else -}}
{{ $name }}:{{ default .Chart.AppVersion $image.tag }}
{{- end -}}
{{- end }}

{{- define "sevenfold.imagePullSecrets" -}}
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
{{- range . }}
  - name: {{ . }}
{{- end }}
{{- end }}
{{- end }}

{{- define "sevenfold.secretName" -}}
{{- default (printf "%s-secrets" (include "sevenfold.fullname" .)) .Values.secrets.existing -}}
{{- end }}

{{/* The Secret that hooks read: they run before the objects of the release are there. */}}
{{- define "sevenfold.hookSecretName" -}}
{{- default (printf "%s-hook-secrets" (include "sevenfold.fullname" .)) .Values.secrets.existing -}}
{{- end }}

{{/* A number that came through JSON is a float: 67108864 must not become 6.7108864e+07. */}}
{{- define "sevenfold.text" -}}
{{- if and (kindIs "float64" .) (eq (floor .) .) -}}
{{- int64 . -}}
{{- else -}}
{{- . -}}
{{- end -}}
{{- end }}

{{/* What every pod of the release may do at most: the restricted profile of Kubernetes. */}}
{{- define "sevenfold.podSecurity" -}}
runAsNonRoot: true
runAsUser: {{ . }}
runAsGroup: {{ . }}
fsGroup: {{ . }}
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "sevenfold.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop:
    - ALL
{{- end }}

{{- define "sevenfold.siteHost" -}}
{{- regexReplaceAll "^https?://([^/:]+).*$" .Values.site.url "${1}" -}}
{{- end }}
