import StrictJSON

/// Ways to an authenticator as a JSON array, for the rows of passkeys.
package struct PasskeyTransports: Sendable, Hashable {
    package let names: [String]

    package init(_ names: [String]) { self.names = names }

    package init?(stored text: String) {
        guard let values = try? JSONParser.parse(Array(text.utf8), limits: .body).asArray(),
            let names = try? values.map({ try $0.asString() })
        else { return nil }
        self.names = names
    }

    package var text: String { JSONWriter.text(.array(names.map(JSONValue.string))) }
}
