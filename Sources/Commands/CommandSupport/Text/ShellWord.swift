/// Quoting of words for a shell.
package enum ShellWord {
    /// The word as a shell reads it, in quotes where it needs them; what cannot be seen stands as an escape (`$'…'` of Bash, Zsh and
    /// Ksh).
    package static func quoted(_ word: String) -> String {
        guard word.unicodeScalars.allSatisfy(ForeignText.isVisible) else {
            return "$'" + word.unicodeScalars.map(escaped).joined() + "'"
        }
        let isPlain = word.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "/._-@+:,".utf8.contains(byte)
            }
        }
        return isPlain && !word.isEmpty ? word : "'" + word.replacing("'", with: "'\\''") + "'"
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        if scalar == "'" || scalar == "\\" { return "\\" + String(scalar) }
        guard !ForeignText.isVisible(scalar) else { return String(scalar) }
        let digits = String(scalar.value, radix: 16)
        return "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
    }
}
