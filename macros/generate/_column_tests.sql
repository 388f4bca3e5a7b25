{#-
    Data tests of one column of `cur_<source>__<table>`: what the catalog proves, nothing more.

    * Key columns are never null, unless their own schema lets them be (`message.key.columns`), and a key of one column is unique.
    * not_null: no version of the table allowed a null, and a value can always be had. Where Debezium may leave a
      value out (placeholder) and no earlier event tells it, the column is NULL and `debezium_obs__unavailable` says so.
    * accepted_values: labels of an enum in every version seen, because a row keeps its text when a label is renamed. A list of
      labels between commas cannot be split for certain (spec, trap 63): then a test of our own looks the value up in the list.

    dbt writes names and values of its tests into SQL as they are, and calls arguments that look like its functions. So its tests get
    plain texts only (`is_plain`); for others there are tests of our own, which read their arguments back (`argument_text`).
-#}
{%- macro _column_tests(config, table, column) -%}
    {%- set row = table['described'][column['of'] or column['name']] -%}
    {%- set key_names = table['key'] | map(attribute='name') | list -%}
    {%- set tests = [] -%}
    {%- if column['of'] -%}
        {#- the companion holds every value, the typed column may hold two alike -#}
        {%- if key_names == [column['of']] %}{% do tests.append('unique') %}{% endif -%}
        {{- return(tests) -}}
    {%- endif -%}
    {%- if column['name'] in key_names -%}
        {%- if not row.get('is_optional') or table['evidence'] == 'configuration' %}{% do tests.append('not_null') %}{% endif -%}
        {%- if debezium_spark._exact_names(table, key_names) == [column['name']] -%}
            {%- do tests.append('unique') -%}
        {%- endif -%}
    {%- elif row.get('is_never_null') and not debezium_spark._may_be_unavailable(config, table, row) -%}
        {%- do tests.append('not_null') -%}
    {%- endif -%}
    {%- if column['data_type'] == 'string' -%}
        {%- do tests.extend(debezium_spark._enum_tests(row)) -%}
    {%- endif -%}
    {{- return(tests) -}}
{%- endmacro -%}


{#- The test that keys of several columns are unique, for the whole model. -#}
{%- macro _key_tests(table) -%}
    {%- set key_names = table['key'] | map(attribute='name') | list -%}
    {%- if key_names | length < 2 %}{{ return([]) }}{% endif -%}
    {%- for name in key_names if name not in table['described'] %}{{ return([]) }}{% endfor -%}
    {{- return([
        {'debezium_spark.unique_key': {'columns': debezium_spark._exact_names(table, key_names)}},
    ]) -}}
{%- endmacro -%}


{#- Names of key columns, of the companion in place of a column whose type may hold two values alike. -#}
{%- macro _exact_names(table, key_names) -%}
    {%- set companions = {} -%}
    {%- for column in table['decoded'] if column['of'] -%}
        {%- do companions.update({column['of']: column['name']}) -%}
    {%- endfor -%}
    {%- set names = [] -%}
    {%- for name in key_names %}{% do names.append(companions.get(name, name)) %}{% endfor -%}
    {{- return(names) -}}
{%- endmacro -%}


{#- Whether the connector can leave the value of a column out of an event, and nothing else in the event tells it. -#}
{%- macro _may_be_unavailable(config, table, row) -%}
    {%- if config['connector'] in ('mysql', 'mariadb') %}{{ return(false) }}{% endif -%}
    {%- set column = debezium_spark._column_of(fromjson(row['schema_json'])) -%}
    {%- if not debezium_spark.unavailable_forms(config, column) %}{{ return(false) }}{% endif -%}
    {%- if config['connector'] == 'postgresql' -%}
        {{- return(not debezium_spark.has_complete_before(config, table['name'], always=true)) -}}
    {%- endif -%}
    {#- SQL Server and Oracle: values stored outside of the row -#}
    {%- set database_type = row.get('database_type') | lower if row.get('database_type') else '' -%}
    {{- return(
        not database_type
        or modules.re.search('\\(max\\)|lob|long|xml|text|image|json', database_type) is not none
    ) -}}
{%- endmacro -%}


{%- macro _enum_tests(row) -%}
    {%- set labels = row.get('enum_values') or [] -%}
    {%- set lists = row.get('enum_lists') or [] -%}
    {#- a backslash is written in two forms (spec §16) -#}
    {%- for text in labels + lists if '\\' in text %}{{ return([]) }}{% endfor -%}
    {%- if labels and ',' not in labels | join('') -%}
        {%- if adapter.debezium_is_plain(labels | join('')) -%}
            {{- return([{'accepted_values': {'values': labels}}]) -}}
        {%- endif -%}
        {{- return([{'debezium_spark.accepted_texts': {'texts': labels}}]) -}}
    {%- elif not labels and lists -%}
        {{- return([{'debezium_spark.accepted_values_of_lists': {'lists': lists}}]) -}}
    {%- endif -%}
    {{- return([]) -}}
{%- endmacro -%}


{#- The tests of a column whose name is not plain, as tests of the model: dbt is not told the name, only our own tests are. -#}
{%- macro _tests_by_name(name, tests) -%}
    {%- set own = [] -%}
    {%- for test in tests -%}
        {%- if test == 'not_null' -%}
            {%- do own.append({'debezium_spark.never_null': {'columns': [name]}}) -%}
        {%- elif test == 'unique' -%}
            {%- do own.append({'debezium_spark.unique_key': {'columns': [name]}}) -%}
        {%- elif 'accepted_values' in test -%}
            {%- do own.append({'debezium_spark.accepted_texts': {'column': name, 'texts': test['accepted_values']['values']}}) -%}
        {%- else -%}
            {%- for test_name, arguments in test.items() %}{% do own.append({test_name: dict({'column': name}, **arguments)}) %}{% endfor -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(own) -}}
{%- endmacro -%}


{#- Tests as lines of YAML below `data_tests:`, which stands at `indent`. -#}
{%- macro _test_lines(tests, indent) -%}
    {%- if not tests %}{{ return([]) }}{% endif -%}
    {%- set space = ' ' * indent -%}
    {%- set lines = [space ~ 'data_tests:'] -%}
    {%- for test in tests -%}
        {%- if test is string -%}
            {%- do lines.append(space ~ '  - ' ~ test) -%}
        {%- else -%}
            {%- for name, arguments in test.items() -%}
                {%- do lines.extend([space ~ '  - ' ~ name ~ ':', space ~ '      arguments:']) -%}
                {%- for argument, value in arguments.items() -%}
                    {%- if value is string -%}
                        {%- do lines.append(space ~ '        ' ~ argument ~ ': ' ~ adapter.debezium_yaml_argument(value)) -%}
                    {%- else -%}
                        {%- do lines.append(space ~ '        ' ~ argument ~ ':') -%}
                        {%- for one in value -%}
                            {%- do lines.append(space ~ '          - ' ~ adapter.debezium_yaml_argument(one)) -%}
                        {%- endfor -%}
                    {%- endif -%}
                {%- endfor -%}
            {%- endfor -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(lines) -}}
{%- endmacro -%}
