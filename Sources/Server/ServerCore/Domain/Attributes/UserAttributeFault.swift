/// Value of an attribute that breaks a rule; the value itself is never in it.
package struct UserAttributeFault: Error, Sendable, Hashable {
    /// The attribute; nil for a rule about all of them.
    package let attribute: UserAttributes.Name?
    /// Rule that the value breaks.
    package let rule: String

    /// Creates a fault.
    package init(_ attribute: UserAttributes.Name?, _ rule: String) {
        self.attribute = attribute
        self.rule = rule
    }

    /// The fault in words.
    package var words: String { attribute.map { "\($0.rawValue) \(rule)" } ?? rule }
}
