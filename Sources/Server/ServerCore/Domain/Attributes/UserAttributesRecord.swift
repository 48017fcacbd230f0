import StrictJSON

/// Attributes of a user as they are stored.
package struct UserAttributesRecord: Sendable, Hashable {
    private static let limits = JSONLimits(byteCount: 16 * 1_024, depth: 3)

    package let attributes: UserAttributes
    package let changedAt: Timestamp

    package init(_ attributes: UserAttributes, changedAt: Timestamp) {
        self.attributes = attributes
        self.changedAt = changedAt
    }

    package var text: String { JSONWriter.text(.object(attributes.members)) }

    package init?(stored text: String, changedAt: Timestamp) {
        guard let members = try? JSONParser.parse(Array(text.utf8), limits: Self.limits).asObject(),
            let changes = UserAttributes.changes(in: members)
        else { return nil }
        var attributes = UserAttributes()
        guard (try? attributes.apply(changes)) != nil else { return nil }
        self.init(attributes, changedAt: changedAt)
    }
}
