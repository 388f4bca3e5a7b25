"""Records in Avro, written by the converters of Apicurio and Confluent with a real registry."""
