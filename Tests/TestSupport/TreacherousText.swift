/// Texts of one line that would show a person something else than they say.
package enum TreacherousText {
    /// Each has one character of another kind: Cc, Cf (direction, width, joiner), Zl, Zp, Co and Cn.
    package static let lines = [
        "a\u{7}b", "a\u{202E}b", "a\u{2066}b", "a\u{200B}b", "a\u{200D}b", "a\u{2028}b", "a\u{2029}b", "a\u{E000}b",
        "a\u{378}b",
    ]
}
