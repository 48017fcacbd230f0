/// Replaces `${env:NAME}` and `${file:PATH}` in the text of a value; `$${` stands for a plain `${`.
struct Substitution {
    let source: ConfigurationSource

    func expand(_ text: String) throws(Failure) -> String {
        var result = ""
        var rest = Substring(text)
        while let start = rest.firstIndex(of: "$") {
            result += rest[..<start]
            let tail = rest[start...]
            if tail.hasPrefix("$${") {
                result += "${"
                rest = tail.dropFirst(3)
            } else if tail.hasPrefix("${") {
                guard let end = tail.firstIndex(of: "}") else { throw Failure(reason: .unknownSubstitution) }
                result += try replacement(for: tail.dropFirst(2)[..<end])
                rest = tail[tail.index(after: end)...]
            } else {
                result += "$"
                rest = tail.dropFirst()
            }
        }
        return result + rest
    }

    private func replacement(for reference: Substring) throws(Failure) -> String {
        if reference.hasPrefix("env:") {
            let name = String(reference.dropFirst(4))
            guard let value = source.environment[name] else { throw Failure(reason: .unsetVariable(name: name)) }
            return value
        }
        if reference.hasPrefix("file:") {
            let path = source.absolute(String(reference.dropFirst(5)))
            guard let bytes = source.files.contents(of: path), let text = String(validating: bytes, as: UTF8.self)
            else { throw Failure(reason: .unreadableFile(path: path)) }
            return text.hasSuffix("\n") ? String(text.dropLast()) : text
        }
        throw Failure(reason: .unknownSubstitution)
    }

    /// Failure to replace a reference.
    struct Failure: Error {
        let reason: ConfigurationProblem.Reason
    }
}
