{{/* What belongs to this installation. */}}
{{- define "orrery.labels" -}}
app.kubernetes.io/name: orrery
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{/* Settings of one process, and where its secrets are. Takes root, role, files and settings. A map by name: none is given twice. */}}
{{- define "orrery.env" -}}
{{- $all := merge (deepCopy .settings) (deepCopy .root.Values.settings) }}
{{- $_ := set $all "ORRERY_ROLE" .role }}
{{- $_ := set $all "ORRERY_PUBLIC_ORIGINS" (printf "https://%s" .root.Values.hosts.page) }}
{{- range $name, $file := .files }}
{{- $_ := set $all $name (printf "/run/secrets/orrery/%s" $file) }}
{{- end }}
{{- range $name, $value := $all }}
- name: {{ $name }}
  value: {{ $value | toString | quote }}
{{- end }}
{{- end }}

{{/* A stateful set of one role. Takes root, name, component, role, probe, replicas, storage, resources, env and files. */}}
{{- define "orrery.process" -}}
apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: {{ .name }}
  labels: {{- include "orrery.labels" .root | nindent 4 }}
spec:
  replicas: {{ .replicas }}
  serviceName: {{ .root.Release.Name }}
  {{- if eq .role "heart" }}
  # The next heart is replaced once this one has caught up: the one that leads may be it.
  minReadySeconds: 60
  {{- end }}
  selector:
    matchLabels:
      {{- include "orrery.labels" .root | nindent 6 }}
      app.kubernetes.io/component: {{ .component }}
  template:
    metadata:
      labels:
        {{- include "orrery.labels" .root | nindent 8 }}
        app.kubernetes.io/component: {{ .component }}
    spec:
      automountServiceAccountToken: false
      enableServiceLinks: false
      # The exchange ends within 60 s, whatever hangs (docs/runbooks/stop.md).
      terminationGracePeriodSeconds: 75
      securityContext:
        runAsNonRoot: true
        runAsUser: 10001
        runAsGroup: 10001
        fsGroup: 10001
        fsGroupChangePolicy: OnRootMismatch
        seccompProfile:
          type: RuntimeDefault
      {{- if gt (int .replicas) 1 }}
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: DoNotSchedule
          labelSelector:
            matchLabels:
              {{- include "orrery.labels" .root | nindent 14 }}
              app.kubernetes.io/component: {{ .component }}
      {{- end }}
      containers:
        - name: exchange
          image: "{{ .root.Values.image.repository }}:{{ .root.Values.image.tag | default .root.Chart.AppVersion }}"
          imagePullPolicy: {{ .root.Values.image.pullPolicy }}
          env: {{- .env | trim | nindent 12 }}
          ports:
            {{- if ne .role "heart" }}
            - name: http
              containerPort: 8080
            {{- end }}
            - name: probes
              containerPort: 9464
          # Recovery reads the journal since the newest snapshot; nothing is started again meanwhile.
          startupProbe:
            httpGet:
              path: {{ .probe }}
              port: probes
            periodSeconds: 5
            failureThreshold: 120
          livenessProbe:
            httpGet:
              path: /livez
              port: probes
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 6
          {{- if eq .role "heart" }}
          # A heart that follows answers 503 at /readyz until it leads. Nobody is sent to hearts by their readiness, and a roll-out and a drain wait for it.
          {{- end }}
          readinessProbe:
            httpGet:
              path: {{ .probe }}
              port: probes
            periodSeconds: 5
            timeoutSeconds: 5
          resources: {{- toYaml .resources | nindent 12 }}
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities:
              drop: [ALL]
          volumeMounts:
            - name: data
              mountPath: /data
            - name: tmp
              mountPath: /tmp
            {{- if .files }}
            - name: secrets
              mountPath: /run/secrets/orrery
              readOnly: true
            {{- end }}
      volumes:
        - name: tmp
          emptyDir:
            sizeLimit: 256Mi
        {{- if .files }}
        # Only the files that this process is given.
        - name: secrets
          secret:
            secretName: {{ .root.Values.secret }}
            defaultMode: 288 # 0440
            items:
              {{- range $file := values .files | uniq | sortAlpha }}
              - key: {{ $file }}
                path: {{ $file }}
              {{- end }}
        {{- end }}
  volumeClaimTemplates:
    - metadata:
        name: data
      spec:
        # One pod, not only one node, where the driver knows it: ReadWriteOncePod.
        accessModes: [ReadWriteOnce]
        {{- with .root.Values.storageClass }}
        storageClassName: {{ . }}
        {{- end }}
        resources:
          requests:
            storage: {{ .storage }}
{{- end }}
