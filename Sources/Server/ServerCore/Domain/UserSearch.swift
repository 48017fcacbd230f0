import UAF

/// Search of users by the beginning of a name, an address or another attribute, without regard to case.
package struct UserSearch: Sendable, Hashable {
    /// Kind of the values by which a user is found.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case username
        case externalID = "external_id"
        case name
        case givenName = "given_name"
        case familyName = "family_name"
        case email
        case groups

        /// Kinds whose values are attributes.
        package static let ofAttributes: [Kind] = [.name, .givenName, .familyName, .email, .groups]
    }

    /// One value of a user, as it is compared.
    package struct Entry: Sendable, Hashable {
        package let kind: Kind
        package let value: String

        fileprivate init(_ kind: Kind, _ text: String) {
            self.kind = kind
            value = UserSearch.folded(text)
        }
    }

    /// Place in the order of what is found: by values, then by users.
    package struct Place: Sendable, Hashable {
        package let value: String
        package let user: UserID

        package init(value: String, user: UserID) {
            self.value = value
            self.user = user
        }

        /// Reads ``text``; nil for another text.
        ///
        /// The value may be of a name from before the rule of names, and not visible.
        package init?(text: String) {
            guard let point = text.firstIndex(of: "."), let user = UserID(text: String(text[..<point])) else {
                return nil
            }
            let value = String(text[text.index(after: point)...])
            guard !value.utf8.contains(0) else { return nil }
            self.init(value: value, user: user)
        }

        package var text: String { user.text + "." + value }
    }

    /// Users that were found, each once.
    package struct Page: Sendable {
        /// As many as the page may have at most, also fewer when more are found.
        package let users: [User]
        /// Place behind which the next page begins; nil for the last page.
        package let next: Place?

        package init(users: [User], next: Place?) {
            self.users = users
            self.next = next
        }
    }

    package let kinds: Set<Kind>
    /// Beginning of the values, as they are compared.
    package let prefix: String

    /// A search among some kinds; nil for a text that no value begins with.
    package init?(_ text: String, among kinds: Set<Kind>) {
        guard !text.isEmpty, ShownText.isVisible(text) else { return nil }
        prefix = Self.folded(text)
        self.kinds = kinds
    }

    /// Whether a place lies among the values that are found.
    package func holds(_ place: Place) -> Bool { place.value.utf8.starts(with: prefix.utf8) }

    /// Entries of the names of a user.
    package static func entries(of user: User) -> Set<Entry> {
        [Entry(.username, user.name.text), Entry(.externalID, user.externalID.text)]
    }

    /// Entries of the attributes of a user.
    package static func entries(of attributes: UserAttributes) -> Set<Entry> {
        let texts: [(Kind, String?)] = [
            (.name, attributes.name), (.givenName, attributes.givenName), (.familyName, attributes.familyName),
            (.email, attributes.email),
        ]
        let single = texts.compactMap { kind, text in text.map { Entry(kind, $0) } }
        return Set(single + attributes.groups.map { Entry(.groups, $0) })
    }

    /// Lower case in the composed form, so that spellings that look the same are the same.
    private static func folded(_ text: String) -> String {
        ShownText.composed(ShownText.composed(text).lowercased())
    }
}
