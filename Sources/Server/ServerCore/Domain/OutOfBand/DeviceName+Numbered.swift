package import BackendAPI

extension DeviceName {
    /// The name with a number behind it, shortened when it gets too long: what a second device of the name is called.
    package func numbered(_ number: Int) -> DeviceName {
        let suffix = " (\(number))"
        let kept = String.UnicodeScalarView(text.unicodeScalars.prefix(128 - suffix.unicodeScalars.count))
        return DeviceName(String(kept) + suffix) ?? self
    }
}
