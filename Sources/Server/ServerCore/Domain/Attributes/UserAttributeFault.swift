/// Value of an attribute that breaks a rule; the value itself is never in it.
package struct UserAttributeFault: Error, Sendable, Hashable {
    /// The attribute; nil for a rule about all of them.
    package let attribute: UserAttributes.Name?
    package let rule: String

    package init(_ attribute: UserAttributes.Name?, _ rule: String) {
        self.attribute = attribute
        self.rule = rule
    }

    package var words: String { attribute.map { "\($0.rawValue) \(rule)" } ?? rule }
}
