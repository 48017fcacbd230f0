/// Place in which an Android device keeps a key, the weakest first.
package enum AndroidSecurityLevel: Int, Hashable, Comparable, Sendable, CaseIterable {
    case software = 0
    case trustedEnvironment = 1
    /// A separate security chip.
    case strongBox = 2

    package static func < (left: AndroidSecurityLevel, right: AndroidSecurityLevel) -> Bool {
        left.rawValue < right.rawValue
    }
}
