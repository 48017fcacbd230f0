import MobileAuthentication

extension SecretBytes {
    /// What was typed where it is no secret, without blanks around it.
    var line: String {
        let text = withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        return String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
