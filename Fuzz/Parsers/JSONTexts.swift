import StrictJSON

/// JSON documents whose members are all strings, as in push messages.
enum JSONTexts {
    /// The document with these members.
    static func object(_ members: [(name: String, value: String)]) -> [UInt8] {
        JSONWriter.write(
            .object(JSONObject(distinct: members.map { JSONObject.Member($0.name, .string($0.value)) })))
    }
}
