import ServerCore
import StrictJSON
import TestSupport
import Testing

@Suite("Attributes of users are what an operator means, in one form, and nothing that could mislead")
struct UserAttributeTests {
    private func applied(_ changes: [UserAttributes.Name: JSONValue]) throws -> UserAttributes {
        var attributes = UserAttributes()
        try attributes.apply(changes)
        return attributes
    }

    private static let everything: [UserAttributes.Name: JSONValue] = [
        .name: .string("Anna Müller"), .givenName: .string("Anna"), .familyName: .string("Müller"),
        .email: .string("anna@example.com"), .emailVerified: .bool(true), .locale: .string("de-CH"),
        .groups: .array([.string("staff"), .string("admins"), .string("staff")]),
    ]

    @Test("All attributes are kept by their names, each group once, and read back as they were stored")
    func everything() throws {
        let attributes = try applied(Self.everything)
        #expect(attributes.name == "Anna Müller")
        #expect(attributes.isEmailVerified)
        #expect(attributes.groups == ["staff", "admins"])
        let record = UserAttributesRecord(attributes, changedAt: Timestamp(seconds: 1))
        #expect(UserAttributesRecord(stored: record.text, changedAt: Timestamp(seconds: 1)) == record)
        #expect(UserAttributesRecord(stored: "{\"phone\":\"1\"}", changedAt: Timestamp(seconds: 1)) == nil)
    }

    @Test("A name that is typed in parts is the same octets as one that is typed whole")
    func composed() throws {
        let parts = try applied([.name: .string("Mu\u{308}ller")])
        #expect(parts.name?.utf8.elementsEqual("M\u{FC}ller".utf8) == true)
    }

    @Test("A new address is not verified because the former one was, and the mark goes with the address")
    func newAddress() throws {
        var attributes = try applied(Self.everything)
        try attributes.apply([.email: .string("anna@example.org")])
        #expect(!attributes.isEmailVerified)
        try attributes.apply([.emailVerified: .bool(true)])
        try attributes.apply([.email: .string("anna@example.org")])
        #expect(attributes.isEmailVerified, "the same address again")
        try attributes.apply([.email: .null])
        #expect(attributes.members["email_verified"] == nil)
        #expect(throws: UserAttributeFault.self) { try attributes.apply([.emailVerified: .bool(true)]) }
    }

    @Test("What is null is removed, and what is not named stays")
    func removal() throws {
        var attributes = try applied(Self.everything)
        try attributes.apply([.name: .null, .groups: .null, .locale: .null])
        #expect(attributes.name == nil && attributes.groups.isEmpty && attributes.locale == nil)
        #expect(attributes.email == "anna@example.com")
    }

    @Test(
        "A value that breaks a rule is refused by the name of its attribute, and nothing is changed",
        arguments: [
            (.name, .string("")), (.name, .string("   ")), (.name, .string("a\u{202E}b")), (.name, .string("a\nb")),
            (.name, .string(String(repeating: "x", count: 129))), (.givenName, .integer(1)),
            (.familyName, .string("\u{200B}x")), (.email, .string("anna")), (.email, .string("@example.com")),
            (.email, .string("a@b@c")), (.email, .string("a b@example.com")), (.email, .string("a@exa\u{0}mple.com")),
            (.email, .string(String(repeating: "x", count: 250) + "@b.ch")), (.emailVerified, .string("yes")),
            (.locale, .string("de_CH")), (.locale, .string("d")), (.locale, .string("german-switzerland")),
            (.groups, .string("staff")), (.groups, .array([.null])), (.groups, .array([.string("")])),
            (.groups, .array((0...100).map { .string("g\($0)") })),
        ] as [(UserAttributes.Name, JSONValue)])
    func refused(name: UserAttributes.Name, value: JSONValue) throws {
        var attributes = UserAttributes()
        // A sound value beside it.
        let fault = #expect(throws: UserAttributeFault.self) {
            try attributes.apply([(name == .name ? .locale : .name): .string("de"), name: value])
        }
        #expect(fault?.attribute == name)
        #expect(attributes == UserAttributes())
    }

    @Test("All together have a bound, whatever the single ones are")
    func together() throws {
        let groups = (0..<90).map { JSONValue.string("\($0)" + String(repeating: "g", count: 60)) }
        let fault = #expect(throws: UserAttributeFault.self) { try applied([.groups: .array(groups)]) }
        #expect(fault?.attribute == nil)
    }
}
