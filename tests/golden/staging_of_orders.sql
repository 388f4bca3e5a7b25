with

records as (

    select
        topic,
        partition,
        offset,
        timestamp,
        key,
        headers,
        _cdc_batch_id,
        _cdc_landed_at,
        (value is null
            or (octet_length(value) < 100
                and (trim(' 	\n\r' from value) in ('', 'null')
                    or (contains(value, 'schema') and translate(value, ' 	\n\r', '')
                        in ('{"schema":null,"payload":null}', '{"payload":null,"schema":null}'))))) as is_tombstone,
        not (key is null
            or (octet_length(key) < 100
                and (trim(' 	\n\r' from key) in ('', 'null')
                    or (contains(key, 'schema') and translate(key, ' 	\n\r', '')
                        in ('{"schema":null,"payload":null}', '{"payload":null,"schema":null}'))))) as has_key,
        xxhash64(value) as value_hash,
        key as _record_key,
        value as _record_value,
        from_json(value, 'struct<payload:struct<op:string,ts_ms:string,ts_us:string,after:map<string,string>,source:struct<`version`:string,`connector`:string,`name`:string,`db`:string,`schema`:string,`table`:string,`snapshot`:string,`ts_ms`:string,`ts_us`:string,`lsn`:string,`sequence`:string>,transaction:struct<id:string,total_order:string,data_collection_order:string>>,op:string,ts_ms:string,ts_us:string,after:map<string,string>,source:struct<`version`:string,`connector`:string,`name`:string,`db`:string,`schema`:string,`table`:string,`snapshot`:string,`ts_ms`:string,`ts_us`:string,`lsn`:string,`sequence`:string>,transaction:struct<id:string,total_order:string,data_collection_order:string>>') as message,
        from_json(key, 'map<string,string>') as key_json
    from raw_shop
    where
        topic in ('shop.public.orders')
        and not (coalesce(contains(value, '"m"'), false)
            and exists(array(from_json(value, 'op string, payload struct<op: string>')),
                e -> coalesce(e.op, e.payload.op) <=> 'm'))

),

envelopes as (

    select
        topic,
        partition,
        offset,
        timestamp,
        headers,
        _cdc_batch_id,
        _cdc_landed_at,
        is_tombstone,
        has_key,
        value_hash,
        _record_key,
        _record_value,
        case
            when case when message.op is not null then message.op else message.payload.op end in ('c', 'u')
                and lower(case when message.op is not null then message.source.snapshot else message.payload.source.snapshot end) in (
                    'true', 'first', 'first_in_data_collection', 'last', 'last_in_data_collection',
                    'incremental'
                )
                then 'r'
            else case when message.op is not null then message.op else message.payload.op end
        end as op,
        case when message.op is not null then message.ts_ms else message.payload.ts_ms end as ts_ms,
        case when message.op is not null then message.ts_us else message.payload.ts_us end as ts_us,
        case when message.op is not null then message.after else message.payload.after end as after,
        case when message.op is not null then message.source else message.payload.source end as source,
        case when message.op is not null then message.transaction else message.payload.transaction end as transaction,
        case
    when not has_key then null
    when startswith(key, 'Struct{')
        then case when key rlike '(?s)^Struct\\{id=(-?[0-9]+)\\}$' then map('id', regexp_extract(key, '(?s)^Struct\\{id=(-?[0-9]+)\\}$', 1)) end
    when key_json is null then case
            when not key rlike '^\\s*(?:[{\\[]|Struct[{])'
                then map('id', coalesce(case
                when key rlike '^\\s*("[^"\\\\]*+(?:\\\\.[^"\\\\]*+)*+"|[-+.0-9eE]++|true|false)\\s*$'
                    then from_json(concat('{"value":', key, '}'),
                        'struct<value:string>').value
            end, key))
        end
    when size(key_json) = 2
        and map_contains_key(key_json, 'payload')
        and map_contains_key(key_json, 'schema')
        and coalesce(key_json['schema'] like '{%', true)
        then coalesce(from_json(key_json['payload'], 'map<string,string>'), case when key_json['payload'] is not null then map('id', key_json['payload']) end)
    else key_json
end as key_members,
        case
            when coalesce(message.op, message.payload.op) = 'c'
                then try_element_at(filter(headers, header -> header.key = '__debezium.oldkey'), 1).value
        end as _old_key_text
    from records

),

images as (

    select
        *,
        case
            when op in ('c', 'r', 'u') then after
            when op = 'd'
                then key_members
        end as image,
        map_keys(after) != array('id', 'customer_id', 'status', 'total', 'ledger', 'placed_at', 'payload', 'uid') as after_has_other_names,
        case
            when image is null then null
            when slice(map_keys(image), 1, 8)
                = slice(array('id', 'customer_id', 'status', 'total', 'ledger', 'placed_at', 'payload', 'uid'), 1, size(image)) then map_values(image)
            else transform(array('id', 'customer_id', 'status', 'total', 'ledger', 'placed_at', 'payload', 'uid'), name -> try_element_at(image, name))
        end as image_texts,
        from_json(_old_key_text, 'map<string,string>') as _old_key_json
    from envelopes

),

decoded_columns as (

    select
        *,
        if(not (map_contains_key(image, 'id')), try_element_at(key_members, 'id'), get(image_texts, 0)) as _text_1,
        _text_1 as _prepared_1,
        try_cast(_prepared_1 as bigint) as _value_1,
        get(image_texts, 1) as _text_2,
        _text_2 as _prepared_2,
        try_cast(_prepared_2 as int) as _value_2,
        get(image_texts, 2) as _text_3,
        case when (_text_3 = '__debezium_unavailable_value') is distinct from true then _text_3 end as _prepared_3,
        _prepared_3 as _value_3,
        get(image_texts, 3) as _text_4,
        case when (_text_4 = 'X19kZWJleml1bV91bmF2YWlsYWJsZV92YWx1ZQ==') is distinct from true then case when _text_4 >= ':' then case when length(_text_4) % 4 = 0 then hex(try_to_binary(_text_4, 'base64')) end when not _text_4 rlike '^-?[0-9]+([.][0-9]+)?([eE][-+]?[0-9]+)?$' then case when length(_text_4) % 4 = 0 then hex(try_to_binary(_text_4, 'base64')) end when _text_4 like '%.%' then case when abs(try_cast(_text_4 as double)) < 1e11 then concat('=', _text_4) end when _text_4 like '-%' or (instr(concat_ws(' ', _record_key, _record_value), concat('"total":', _text_4)) > 0 or instr(concat_ws(' ', _record_key, _record_value), concat('"total": ', _text_4)) > 0) then concat('=', _text_4) else case when length(_text_4) % 4 = 0 then hex(try_to_binary(_text_4, 'base64')) end end end as _prepared_4,
        case when startswith(_prepared_4, '=') then case when try_cast(substr(_prepared_4, 2) as decimal(20,4)) = try_cast(substr(_prepared_4, 2) as decimal(38,22)) then try_cast(substr(_prepared_4, 2) as decimal(20,4)) end else case when length(_prepared_4) <= 16 then try_cast((case when length(_prepared_4) between 1 and 16 then cast(conv(concat(repeat(case when substr(_prepared_4, 1, 1) >= '8' then 'FF' else '00' end, 8 - length(_prepared_4) div 2), _prepared_4), 16, -10) as decimal(19, 0)) end) * 0.0001BD as decimal(20,4)) else transform(array(_prepared_4), d -> transform(array(case when length(d) > 0 then case when substr(d, 1, 1) >= '8' then -1BD - (case when length(d) <= 16 then cast(conv(right(case when substr(d, 1, 1) >= '8' then translate(d, '0123456789ABCDEF', 'FEDCBA9876543210') else d end, 16), 16, 10) as decimal(38, 0)) else case when ltrim('0', substr(case when substr(d, 1, 1) >= '8' then translate(d, '0123456789ABCDEF', 'FEDCBA9876543210') else d end, 1, length(d) - 32)) = '' or length(d) <= 32 then try_add(try_cast(try_multiply(cast(conv(right(substr(case when substr(d, 1, 1) >= '8' then translate(d, '0123456789ABCDEF', 'FEDCBA9876543210') else d end, 1, length(d) - 16), 16), 16, 10) as decimal(20, 0)), 18446744073709551616BD) as decimal(38, 0)), cast(conv(right(case when substr(d, 1, 1) >= '8' then translate(d, '0123456789ABCDEF', 'FEDCBA9876543210') else d end, 16), 16, 10) as decimal(38, 0))) end end) else case when length(d) <= 16 then cast(conv(right(case when substr(d, 1, 1) >= '8' then translate(d, '0123456789ABCDEF', 'FEDCBA9876543210') else d end, 16), 16, 10) as decimal(38, 0)) else case when ltrim('0', substr(case when substr(d, 1, 1) >= '8' then translate(d, '0123456789ABCDEF', 'FEDCBA9876543210') else d end, 1, length(d) - 32)) = '' or length(d) <= 32 then try_add(try_cast(try_multiply(cast(conv(right(substr(case when substr(d, 1, 1) >= '8' then translate(d, '0123456789ABCDEF', 'FEDCBA9876543210') else d end, 1, length(d) - 16), 16), 16, 10) as decimal(20, 0)), 18446744073709551616BD) as decimal(38, 0)), cast(conv(right(case when substr(d, 1, 1) >= '8' then translate(d, '0123456789ABCDEF', 'FEDCBA9876543210') else d end, 16), 16, 10) as decimal(38, 0))) end end end end), u -> try_cast(concat(case when cast(u as string) like '-%' then '-' else '' end, case when 4 > 0 then concat(substr(lpad(ltrim('-', cast(u as string)), greatest(length(ltrim('-', cast(u as string))), 4 + 1), '0'), 1, length(lpad(ltrim('-', cast(u as string)), greatest(length(ltrim('-', cast(u as string))), 4 + 1), '0')) - 4), '.', right(lpad(ltrim('-', cast(u as string)), greatest(length(ltrim('-', cast(u as string))), 4 + 1), '0'), 4)) when cast(u as string) = '0' then '0' else concat(ltrim('-', cast(u as string)), repeat('0', -(4))) end) as decimal(20,4)))[0])[0] end end as _value_4,
        get(image_texts, 4) as _text_5,
        case when (_text_5 = 'X19kZWJleml1bV91bmF2YWlsYWJsZV92YWx1ZQ==') is distinct from true then case when _text_5 >= ':' then case when length(_text_5) % 4 = 0 then hex(try_to_binary(_text_5, 'base64')) end when not _text_5 rlike '^-?[0-9]+([.][0-9]+)?([eE][-+]?[0-9]+)?$' then case when length(_text_5) % 4 = 0 then hex(try_to_binary(_text_5, 'base64')) end when _text_5 like '%.%' then case when abs(try_cast(_text_5 as double)) < 1e5 then concat('=', _text_5) end when _text_5 like '-%' or (instr(concat_ws(' ', _record_key, _record_value), concat('"ledger":', _text_5)) > 0 or instr(concat_ws(' ', _record_key, _record_value), concat('"ledger": ', _text_5)) > 0) then concat('=', _text_5) else case when length(_text_5) % 4 = 0 then hex(try_to_binary(_text_5, 'base64')) end end end as _prepared_5,
        case when startswith(_prepared_5, '=') then case when try_cast(substr(_prepared_5, 2) as decimal(38,10)) = try_cast(substr(_prepared_5, 2) as decimal(38,10)) then try_cast(substr(_prepared_5, 2) as decimal(38,10)) end else case when length(_prepared_5) <= 16 then try_cast((case when length(_prepared_5) between 1 and 16 then cast(conv(concat(repeat(case when substr(_prepared_5, 1, 1) >= '8' then 'FF' else '00' end, 8 - length(_prepared_5) div 2), _prepared_5), 16, -10) as decimal(19, 0)) end) * 0.0000000001BD as decimal(38,10)) else transform(array(_prepared_5), d -> transform(array(case when length(d) > 0 then case when substr(d, 1, 1) >= '8' then -1BD - (case when length(d) <= 16 then cast(conv(right(case when substr(d, 1, 1) >= '8' then translate(d, '0123456789ABCDEF', 'FEDCBA9876543210') else d end, 16), 16, 10) as decimal(38, 0)) else case when ltrim('0', substr(case when substr(d, 1, 1) >= '8' then translate(d, '0123456789ABCDEF', 'FEDCBA9876543210') else d end, 1, length(d) - 32)) = '' or length(d) <= 32 then try_add(try_cast(try_multiply(cast(conv(right(substr(case when substr(d, 1, 1) >= '8' then translate(d, '0123456789ABCDEF', 'FEDCBA9876543210') else d end, 1, length(d) - 16), 16), 16, 10) as decimal(20, 0)), 18446744073709551616BD) as decimal(38, 0)), cast(conv(right(case when substr(d, 1, 1) >= '8' then translate(d, '0123456789ABCDEF', 'FEDCBA9876543210') else d end, 16), 16, 10) as decimal(38, 0))) end end) else case when length(d) <= 16 then cast(conv(right(case when substr(d, 1, 1) >= '8' then translate(d, '0123456789ABCDEF', 'FEDCBA9876543210') else d end, 16), 16, 10) as decimal(38, 0)) else case when ltrim('0', substr(case when substr(d, 1, 1) >= '8' then translate(d, '0123456789ABCDEF', 'FEDCBA9876543210') else d end, 1, length(d) - 32)) = '' or length(d) <= 32 then try_add(try_cast(try_multiply(cast(conv(right(substr(case when substr(d, 1, 1) >= '8' then translate(d, '0123456789ABCDEF', 'FEDCBA9876543210') else d end, 1, length(d) - 16), 16), 16, 10) as decimal(20, 0)), 18446744073709551616BD) as decimal(38, 0)), cast(conv(right(case when substr(d, 1, 1) >= '8' then translate(d, '0123456789ABCDEF', 'FEDCBA9876543210') else d end, 16), 16, 10) as decimal(38, 0))) end end end end), u -> try_cast(concat(case when cast(u as string) like '-%' then '-' else '' end, case when 10 > 0 then concat(substr(lpad(ltrim('-', cast(u as string)), greatest(length(ltrim('-', cast(u as string))), 10 + 1), '0'), 1, length(lpad(ltrim('-', cast(u as string)), greatest(length(ltrim('-', cast(u as string))), 10 + 1), '0')) - 10), '.', right(lpad(ltrim('-', cast(u as string)), greatest(length(ltrim('-', cast(u as string))), 10 + 1), '0'), 10)) when cast(u as string) = '0' then '0' else concat(ltrim('-', cast(u as string)), repeat('0', -(10))) end) as decimal(38,10)))[0])[0] end end as _value_5,
        get(image_texts, 5) as _text_6,
        try_cast(_text_6 as bigint) as _prepared_6,
        case when _prepared_6 between -9223372036854775 and 9223372036854775 then timestamp_ntz'1970-01-01 00:00:00' + _prepared_6 * interval '0.001' second end as _value_6,
        get(image_texts, 6) as _text_7,
        case when (_text_7 = 'X19kZWJleml1bV91bmF2YWlsYWJsZV92YWx1ZQ==') is distinct from true then _text_7 end as _prepared_7,
        try_to_binary(_prepared_7, 'base64') as _value_7,
        get(image_texts, 7) as _text_8,
        case when (_text_8 = '__debezium_unavailable_value') is distinct from true then _text_8 end as _prepared_8,
        _prepared_8 as _value_8,
        case
    when has_key
        and not (key_members is null
            and coalesce(_record_key rlike '(?s)^Struct\\{id=(-?[0-9]+)\\}$', false)) then key_members
    else case when try_element_at(image, 'id') is not null then map('id', try_element_at(image, 'id')) end
end as _row_key,
        case when _row_key is null then null when size(_row_key) = 1 and (try_cast(try_element_at(_row_key, 'id') as bigint)) is not null then concat('{', '"id":', try_cast(try_element_at(_row_key, 'id') as bigint), '}') when size(_row_key) = 0 or size(array_distinct(map_keys(_row_key))) < size(_row_key) then null when size(_row_key) = 1 and (map_contains_key(_row_key, 'id')) and (try_element_at(_row_key, 'id') is not null and (try_cast(try_element_at(_row_key, 'id') as bigint)) is null) then null when size(array_except(map_keys(_row_key), concat(array('id', 'customer_id', 'status', 'total', 'ledger', 'placed_at', 'payload', 'uid'), coalesce(map_keys(after), array())))) > 0 then null else to_json(map_from_entries(array_sort(map_entries(_row_key)))) end as _cdc_key,
        case
            when _old_key_text is null then null
            when startswith(_old_key_text, 'Struct{')
                then case when _old_key_text rlike '(?s)^Struct\\{id=(-?[0-9]+)\\}$' then map('id', regexp_extract(_old_key_text, '(?s)^Struct\\{id=(-?[0-9]+)\\}$', 1)) end
            when _old_key_json is null then cast(null as map<string,string>)
            when size(_old_key_json) = 2
                and map_contains_key(_old_key_json, 'payload')
                and map_contains_key(_old_key_json, 'schema')
                and coalesce(_old_key_json['schema'] like '{%', true)
                then coalesce(from_json(_old_key_json['payload'], 'map<string,string>'), cast(null as map<string,string>))
            else _old_key_json
        end as _old_key,
        coalesce(timestamp_micros(case when try_cast(source.ts_us as bigint) between -62135596800000000 and 253402300799999999 then try_cast(source.ts_us as bigint) end), case when source.ts_us rlike '^[12][0-9]{3}-[0-9]{2}-[0-9]{2}[T ][0-9]' then try_cast(source.ts_us as timestamp) end, timestamp_millis(case when try_cast(source.ts_ms as bigint) between -62135596800000 and 253402300799999 then try_cast(source.ts_ms as bigint) end), case when source.ts_ms rlike '^[12][0-9]{3}-[0-9]{2}-[0-9]{2}[T ][0-9]' then try_cast(source.ts_ms as timestamp) end) as source_at,
        coalesce(timestamp_micros(case when try_cast(ts_us as bigint) between -62135596800000000 and 253402300799999999 then try_cast(ts_us as bigint) end), case when ts_us rlike '^[12][0-9]{3}-[0-9]{2}-[0-9]{2}[T ][0-9]' then try_cast(ts_us as timestamp) end, timestamp_millis(case when try_cast(ts_ms as bigint) between -62135596800000 and 253402300799999 then try_cast(ts_ms as bigint) end), case when ts_ms rlike '^[12][0-9]{3}-[0-9]{2}-[0-9]{2}[T ][0-9]' then try_cast(ts_ms as timestamp) end) as captured_at,
        cast(null as array<string>) as _missing_columns,
        case
            when not is_tombstone and op is null then 'record: not a Debezium change event'
            when op not in ('c', 'u', 'd', 'r', 't', 'm')
                then concat('record: unknown op ', left(op, 100))
            when op in ('c', 'r', 'u') and after is null
                then concat('record: op ', op, ' without a row image')
            when after_has_other_names
                and size(array_distinct(map_keys(after))) < size(after)
                then 'record: a column stands twice in `after`'
            when 'public.debezium_signal' in (concat(coalesce(source.schema, source.db), '.', source.table),
                concat(source.db, '.', concat(coalesce(source.schema, source.db), '.', source.table)))
                then 'record: row of the signal table'

        when not (coalesce(nullif(source.name, '') = 'shop', true) and coalesce(nullif(source.db, '') = 'shop', true) and coalesce(nullif(source.schema, '') = 'public', true) and coalesce(nullif(source.table, '') = 'orders', true))
                then concat('record: of another table: ',
                    left(concat_ws('.', source.name, source.db, source.schema, source.table), 1000))

            when has_key and _cdc_key is null and (is_tombstone or op in ('c', 'u', 'd', 'r'))
                then concat('record: the key is not (id): ',
                    left(_record_key, 1000))
            when op in ('c', 'u', 'd', 'r') and _cdc_key is null
                then 'record: no key'
        end as _record_error
    from images

),

typed_rows as (

    select
        _value_1 as `id`,
        _value_2 as `customer_id`,
        _value_3 as `status`,
        _value_4 as `total`,
        _value_5 as `ledger`,
        _value_6 as `placed_at`,
        _value_7 as `payload`,
        _value_8 as `uid`,
        case when _record_error is null then if(is_tombstone, 'tombstone', op) end as _cdc_op,
        _cdc_key,
        case when coalesce(coalesce(lower(nullif(source.connector, '')) in ('postgresql'), true) and (source.lsn rlike '^0*[1-9][0-9]*$' or op = 'r' and source.sequence is not null), false) then concat(lpad(if(source.sequence like '["%', substring_index(substring_index(source.sequence, '"', 2), '"', -1), source.lsn), 20, '0'), '/',
            lpad(source.lsn, 20, '0')) end as _cdc_pos,
        case when coalesce(coalesce(lower(nullif(source.connector, '')) in ('postgresql'), true) and (source.lsn rlike '^0*[1-9][0-9]*$' or op = 'r' and source.sequence is not null), false) then case
            when op in ('c', 'u', 'd') and not coalesce(source.sequence like '["%', false) then null
            when source.sequence is null
                then concat('00000000000000000000/', lpad(source.lsn, 20, '0'))
            else concat(lpad(if(source.sequence like '["%', substring_index(substring_index(source.sequence, '"', 2), '"', -1), '0'), 20, '0'), '/',
                lpad(case
                when source.sequence like '%null]' then source.lsn
                else substring_index(substring_index(source.sequence, '"', -2), '"', 1)
            end, 20, '0'))
        end end as _cdc_stream_pos,
        case
            when op = 'r'
                then concat(if(coalesce(source.version rlike '^([01]|2[.][0-5])[.]', true), '~', ''),
                    value_hash)
            when op in ('c', 'u', 'd', 't') and not coalesce(coalesce(lower(nullif(source.connector, '')) in ('postgresql'), true) and (source.lsn rlike '^0*[1-9][0-9]*$' or op = 'r' and source.sequence is not null), false)
                then concat('~', value_hash)
            when op in ('c', 'u', 'd') then concat('~', lpad(source.lsn, 20, '0'), if(source.version rlike '^[01][.]',
                    concat('/', xxhash64(map_keys(after), map_values(after))), ''))
            when op = 't' then lpad(source.lsn, 20, '0')
        end as _cdc_identity,
        topic as _cdc_topic,
        partition as _cdc_partition,
        offset as _cdc_offset,
        timestamp as _cdc_timestamp,
        concat_ws(':', topic, partition, offset) as _cdc_event_id,
        transaction.id as _cdc_tx_id,
        try_cast(transaction.total_order as bigint) as _cdc_tx_total_order,
        try_cast(transaction.data_collection_order as bigint) as _cdc_tx_collection_order,
        case
            when not is_tombstone

                then if(source.snapshot like 'settled/%', 'false', coalesce(source.snapshot, 'false'))
        end as _cdc_snapshot,
        source_at as _cdc_source_at,
        captured_at as _cdc_captured_at,
        _cdc_landed_at,
        _cdc_batch_id,
        case when _old_key is null then null when size(_old_key) = 1 and (try_cast(try_element_at(_old_key, 'id') as bigint)) is not null then concat('{', '"id":', try_cast(try_element_at(_old_key, 'id') as bigint), '}') when size(_old_key) = 0 or size(array_distinct(map_keys(_old_key))) < size(_old_key) then null when size(_old_key) = 1 and (map_contains_key(_old_key, 'id')) and (try_element_at(_old_key, 'id') is not null and (try_cast(try_element_at(_old_key, 'id') as bigint)) is null) then null else to_json(map_from_entries(array_sort(map_entries(_old_key)))) end as _cdc_old_key,
        try_element_at(filter(headers, header -> header.key = '__debezium.context.runId'), 1).value as _cdc_run_id,
        case
            when op in ('c', 'r', 'u') and (_text_3 = '__debezium_unavailable_value' or _text_4 = 'X19kZWJleml1bV91bmF2YWlsYWJsZV92YWx1ZQ==' or _text_5 = 'X19kZWJleml1bV91bmF2YWlsYWJsZV92YWx1ZQ==' or _text_7 = 'X19kZWJleml1bV91bmF2YWlsYWJsZV92YWx1ZQ==' or _text_8 = '__debezium_unavailable_value')
                then array_compact(array(
                    case when _text_3 = '__debezium_unavailable_value' then 'status'
                    end,
                    case when _text_4 = 'X19kZWJleml1bV91bmF2YWlsYWJsZV92YWx1ZQ==' then 'total'
                    end,
                    case when _text_5 = 'X19kZWJleml1bV91bmF2YWlsYWJsZV92YWx1ZQ==' then 'ledger'
                    end,
                    case when _text_7 = 'X19kZWJleml1bV91bmF2YWlsYWJsZV92YWx1ZQ==' then 'payload'
                    end,
                    case when _text_8 = '__debezium_unavailable_value' then 'uid'
                    end))
        end as _cdc_unavailable,
        case
            when op in ('c', 'r', 'u') and after_has_other_names
                and size(array_except(map_keys(after), array('id', 'customer_id', 'status', 'total', 'ledger', 'placed_at', 'payload', 'uid'))) > 0
                then map_filter(after, (name, text) -> not array_contains(array('id', 'customer_id', 'status', 'total', 'ledger', 'placed_at', 'payload', 'uid'), name))
        end as _cdc_unmapped,
        case
            when _record_error is not null then array(_record_error)
            when (_text_1 is not null and _value_1 is null) or (_text_2 is not null and _value_2 is null) or ((_text_4 is not null and _value_4 is null) and (_text_4 = 'X19kZWJleml1bV91bmF2YWlsYWJsZV92YWx1ZQ==') is distinct from true) or ((_text_5 is not null and _value_5 is null) and (_text_5 = 'X19kZWJleml1bV91bmF2YWlsYWJsZV92YWx1ZQ==') is distinct from true) or (_text_6 is not null and _value_6 is null) or ((_text_7 is not null and _value_7 is null) and (_text_7 = 'X19kZWJleml1bV91bmF2YWlsYWJsZV92YWx1ZQ==') is distinct from true) or (coalesce(source.ts_us, source.ts_ms) is not null and source_at is null) or (coalesce(ts_us, ts_ms) is not null and captured_at is null) or (transaction.total_order is not null and try_cast(transaction.total_order as bigint) is null) or (transaction.data_collection_order is not null and try_cast(transaction.data_collection_order as bigint) is null)
                then concat(array_compact(array(
                    case when (_text_1 is not null and _value_1 is null) then concat('id: not a int64: ', left(_text_1, 1000)) end,
                    case when (_text_2 is not null and _value_2 is null) then concat('customer_id: not a int32: ', left(_text_2, 1000)) end,
                    case when ((_text_4 is not null and _value_4 is null) and (_text_4 = 'X19kZWJleml1bV91bmF2YWlsYWJsZV92YWx1ZQ==') is distinct from true) then concat('total: not a org.apache.kafka.connect.data.Decimal: ', left(_text_4, 1000)) end,
                    case when ((_text_5 is not null and _value_5 is null) and (_text_5 = 'X19kZWJleml1bV91bmF2YWlsYWJsZV92YWx1ZQ==') is distinct from true) then concat('ledger: not a org.apache.kafka.connect.data.Decimal: ', left(_text_5, 1000)) end,
                    case when (_text_6 is not null and _value_6 is null) then concat('placed_at: not a io.debezium.time.Timestamp: ', left(_text_6, 1000)) end,
                    case when ((_text_7 is not null and _value_7 is null) and (_text_7 = 'X19kZWJleml1bV91bmF2YWlsYWJsZV92YWx1ZQ==') is distinct from true) then concat('payload: not a bytes: ', left(_text_7, 1000)) end,
                    case when (coalesce(source.ts_us, source.ts_ms) is not null and source_at is null) then concat('the time of the source is none: ', left(coalesce(source.ts_us, source.ts_ms), 100)) end,
                    case when (coalesce(ts_us, ts_ms) is not null and captured_at is null) then concat('the time of the event is none: ', left(coalesce(ts_us, ts_ms), 100)) end,
                    case when (transaction.total_order is not null and try_cast(transaction.total_order as bigint) is null) then concat('transaction.total_order is no number: ', left(transaction.total_order, 100)) end,
                    case when (transaction.data_collection_order is not null and try_cast(transaction.data_collection_order as bigint) is null) then concat('transaction.data_collection_order is no number: ', left(transaction.data_collection_order, 100)) end)),
                    coalesce(transform(_missing_columns, name -> concat(name,
                    ': not in the row, but in the schema of its record')), array()))
            else transform(_missing_columns, name -> concat(name,
                    ': not in the row, but in the schema of its record'))
        end as _cdc_errors
    from decoded_columns

)

select * from typed_rows
