import { describe, expect, it } from 'vitest';
import { parseGoTemplate } from './parse-go-template.ts';
import { renderGoTemplate } from './render-go-template.ts';

const VARIABLES = ['URL', 'Site', 'Hash', 'Name', 'Data', 'Empty'];
const DATA = {
  URL: 'https://a.br/auth/v1/verify?token=abc&type=signup&redirect_to=https%3A%2F%2Fa.br%2F%3Fx%3D1',
  Site: 'https://a.br',
  Hash: 'pkce_abc',
  Name: `<b onclick="x">'Ana & Bia'</b>`,
  Data: {
    name: 'Ana',
    'full name': 'Ana Lima',
    tags: ['a', 'b'],
    evil: 'javascript:alert(1)',
    on: true,
    nothing: {},
  },
  Empty: '',
};
const html = (source: string, data: object = DATA) =>
  renderGoTemplate(parseGoTemplate(source, { as: 'html', variables: VARIABLES }), { ...data });
const text = (source: string) =>
  renderGoTemplate(parseGoTemplate(source, { as: 'text', variables: VARIABLES }), DATA);
const URL_IN_HTML = DATA.URL.replaceAll('&', '&amp;');

describe('a template in Go’s language', () => {
  it.each([
    ['{{ .Data.name }}, {{.Site}}', 'Ana, https://a.br'],
    ['a {{- .Data.name -}} b', 'aAnab'],
    ['a{{/* nada {{ */}}b', 'ab'],
    ['a {{- /* nada */ -}} b', 'ab'],
    ['{{ if .Empty }}sim{{ else }}não{{ end }}', 'não'],
    ['{{ if .Empty }}1{{ else if .Data.on }}2{{ else }}3{{ end }}', '2'],
    ['{{ if and .Site (not .Empty) }}sim{{ end }}', 'sim'],
    ['{{ if or .Empty .Data.missing }}sim{{ end }}', ''],
    ['{{ if .Data }}{{ if .Data.nothing }}sim{{ else }}não{{ end }}{{ end }}', 'não'],
    ['{{ if eq .Hash "x" "pkce_abc" }}sim{{ end }}', 'sim'],
    ['{{ if ne .Hash `x` }}sim{{ end }}', 'sim'],
    ['{{ if eq .Site (printf `%s` "https://a.br") }}sim{{ end }}', 'sim'],
    ['{{ with .Data.name }}Olá, {{ . }} de {{ $.Site }}{{ else }}Olá{{ end }}', 'Olá, Ana de https://a.br'],
    ['{{ with .Data.missing }}Olá, {{ . }}{{ else }}Olá{{ end }}', 'Olá'],
    ['{{ index .Data "full name" }}', 'Ana Lima'],
    ['{{ .Data.name | printf "%s!" }}', 'Ana!'],
    ['{{ printf "%d%% %q" 5 .Data.name }}', '5% "Ana"'],
    ['{{ len .Data.tags }}{{ print 1 "a" true }}', '21atrue'],
    ['{{ urlquery .Site }}', 'https%3A%2F%2Fa.br'],
    ['{{ .Data.missing.deeper }}{{ .Data.constructor }}{{ nil }}', ''],
    ['{{ "a\\"b\\n" }}', 'a"b\n'],
  ])('%s', (source, expected) => {
    expect(text(source)).toBe(expected);
  });

  it.each([
    ['um\n{{ .Name', /falta "}}" \(linha 2\)/],
    ['{{ .Nome }}', /a variável \.Nome não existe \(linha 1\)/],
    ['{{ with .Data }}{{ $.Nome }}{{ end }}', /\.Nome/],
    ['{{ if .Name }}a', /falta {{ end }}/],
    ['a{{ end }}', /"end" sem começo/],
    ['{{ if .Name }}{{ else }}{{ else }}{{ end }}', /segundo "else"/],
    ['{{ if .Name }}{{ else range .Data }}{{ end }}', /só pode vir "if"/],
    ['{{ range .Data }}{{ end }}', /"range" não é conhecido/],
    ['{{ template "x" }}', /"template" não é conhecido/],
    ['{{ .Name .Site }}', /cabe um valor/],
    ['{{ }}', /cabe um valor/],
    ['{{ (eq .Name 1 }}', /falta "\)"/],
    ['{{ .Name | .Site }}', /vem uma função/],
    ['{{ eq .Name not }}', /fora do lugar/],
    ['{{ .Name ) }}', /não acaba/],
    ['{{ § }}', /não entendido/],
  ])('%j is refused with its line', (source, message) => {
    expect(() => text(source)).toThrow(message);
  });
});

describe('a value in a document', () => {
  it.each([
    ['<p>{{ .Name }}</p>', '<p>&lt;b onclick=&quot;x&quot;&gt;&#39;Ana &amp; Bia&#39;&lt;/b&gt;</p>'],
    [
      '<p title="{{ .Name }}">',
      '<p title="&lt;b onclick=&quot;x&quot;&gt;&#39;Ana &amp; Bia&#39;&lt;/b&gt;">',
    ],
    ["<p title='{{ .Data.name }}'>", "<p title='Ana'>"],
    ['<a href="{{ .URL }}">{{ .URL }}</a>', `<a href="${URL_IN_HTML}">${URL_IN_HTML}</a>`],
    ['<a href = "{{ .Data.evil }}">', '<a href = "#">'],
    ['<img src="  {{ .Data.evil }}">', '<img src="  #">'],
    [
      '<a href="{{ .Site }}/{{ .Name }}">',
      '<a href="https://a.br/%3Cb%20onclick%3D%22x%22%3E&#39;Ana%20%26%20Bia&#39;%3C/b%3E">',
    ],
    [
      '<a href="{{ .Site }}/c?token_hash={{ .Hash }}&next={{ .URL }}">',
      `<a href="https://a.br/c?token_hash=pkce_abc&next=${encodeURIComponent(DATA.URL)}">`,
    ],
    ['<a href="{{ if .Empty }}{{ .Empty }}{{ end }}{{ .Data.evil }}">', '<a href="javascript%3Aalert(1)">'],
    ['<!-- {{ .Name }} --><p>{{ .Data.name }}', '<!--  --><p>Ana'],
    ['<style>a { }</style>{{ .Data.name }}', '<style>a { }</style>Ana'],
    [
      '<!doctype html><title>{{ .Data.name }}</title> a < b {{ .Data.name }}',
      '<!doctype html><title>Ana</title> a < b Ana',
    ],
    ['<td width=100 style="color:red">{{ .Data.name }}</td>', '<td width=100 style="color:red">Ana</td>'],
  ])('%s', (source, expected) => {
    expect(html(source)).toBe(expected);
  });

  it.each([
    ['<script>var a = "{{ .Name }}"</script>', /dentro de <script>/],
    ['<script>1</SCRIPT><p onclick="{{ .Name }}">', /no atributo onclick/],
    ['<style>a { color: {{ .Name }} }</style>', /dentro de <style>/],
    ['<a href={{ .URL }}>', /fora de aspas/],
    ['<{{ .Name }}>', undefined],
    ['<p {{ .Name }}>', /fora de aspas/],
    ['<p onclick="{{ .Name }}">', /no atributo onclick/],
    ['<p STYLE="color:{{ .Name }}">', /no atributo style/],
    ['<img srcset="{{ .URL }} 2x">', /no atributo srcset/],
    ['<p>{{ if .Name }}<a href="{{ else }}x{{ end }}">', /lugares diferentes/],
  ])('%s is refused, or is no tag', (source, message) => {
    if (message) expect(() => html(source)).toThrow(message);
    else expect(html(source)).not.toContain('<b');
  });

  it('cannot end what it stands in, whatever it is', () => {
    const attacks = [
      `"><script>alert(1)</script>`,
      `' onmouseover='x`,
      '</title><script>',
      '-->',
      'java\nscript:x',
      '\u0000',
      '\ud800',
    ];
    const source = `<title>{{ .Name }}</title><p title="{{ .Name }}">{{ .Name }}</p><a href='{{ .Name }}'>x</a><!-- {{ .Name }} -->`;
    for (const Name of attacks) {
      const page = html(source, { Name });
      expect(page.match(/<(?!\/?(?:title|p|a)\b|!--)/g)).toBeNull();
      expect(page.match(/["']/g)).toHaveLength(4);
      expect(page.match(/-->/g)).toHaveLength(1);
    }
  });
});
