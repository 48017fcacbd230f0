/// Reads the settings of one section; every unknown setting is a problem.
///
/// A reader never throws: it notes what is wrong and goes on with the default, so that the operator sees all problems
/// of a file at once.
package struct SectionReader {
    private let members: [(key: String, node: ConfigurationNode)]
    private let location: SourceLocation
    private var asked: Set<String> = []
    let path: [String]
    package let session: ReadingSession

    init(_ node: ConfigurationNode?, path: [String], session: ReadingSession) {
        self.path = path
        self.session = session
        location = node?.location ?? .absent
        switch node?.value {
        case .section(let members): self.members = members
        case nil, .scalar(_, .absent): members = []
        case .scalar, .list:
            members = []
            session.report(location, path, .wrongType(expected: "a section with settings"))
        }
    }

    package func has(_ key: String) -> Bool {
        node(key) != nil
    }

    package func report(_ key: String, _ reason: ConfigurationProblem.Reason) {
        session.report(node(key)?.location ?? location, path + [key], reason)
    }

    /// Reports unknown settings.
    func finish() {
        for member in members where !asked.contains(member.key) {
            let suggestion = Suggestion.nearest(to: member.key, among: asked.sorted())
            session.report(member.node.location, path + [member.key], .unknownKey(suggestion: suggestion))
        }
    }

    // MARK: - Sections

    /// Reads the section `key`, which counts as empty when it is absent.
    package mutating func section<Value>(_ key: String, _ read: (inout SectionReader) -> Value) -> Value {
        asked.insert(key)
        var reader = SectionReader(node(key), path: path + [key], session: session)
        let value = read(&reader)
        reader.finish()
        return value
    }

    /// Reads a section whose keys are names that the operator chose.
    package mutating func namedSections<Value>(
        _ key: String, _ read: (String, inout SectionReader) -> Value
    ) -> [(name: String, value: Value)] {
        section(key) { section in
            section.members.map { member in
                (member.key, section.section(member.key) { read(member.key, &$0) })
            }
        }
    }

    /// Reads a section of single values whose keys are names that the operator chose; what is wrong is left out, and told.
    package mutating func namedValues<Value>(
        _ key: String, _ convert: (Setting) throws(Setting.Mismatch) -> Value
    ) -> [(name: String, value: Value)] {
        section(key) { section in
            section.members.compactMap { member in section.value(member.key, convert).map { (member.key, $0) } }
        }
    }

    package mutating func sectionList<Value>(_ key: String, _ read: (inout SectionReader) -> Value) -> [Value] {
        asked.insert(key)
        return (listNodes(key) ?? []).enumerated().map { index, node in
            var reader = SectionReader(node, path: path + [key, String(index)], session: session)
            let value = read(&reader)
            reader.finish()
            return value
        }
    }

    // MARK: - Plain settings

    /// The setting `key` from the environment or the file, with references replaced; nil when it is absent.
    package mutating func setting(_ key: String) -> Setting? {
        asked.insert(key)
        if let override = session.override(of: path + [key]) {
            return Setting(
                text: override.value, kind: .derived, location: .environment(variable: override.variable),
                path: path + [key])
        }
        guard let node = node(key) else { return nil }
        return setting(of: node, path: path + [key])
    }

    /// The settings of the list `key`; nil when it is absent.
    ///
    /// In the environment commas separate them.
    mutating func settings(_ key: String) -> [Setting]? {
        asked.insert(key)
        if let override = session.override(of: path + [key]) {
            return override.value.split(separator: ",").map {
                Setting(
                    text: String($0), kind: .derived, location: .environment(variable: override.variable),
                    path: path + [key])
            }
        }
        return listNodes(key)?.enumerated().compactMap { index, node in
            setting(of: node, path: path + [key, String(index)])
        }
    }

    /// The settings of `key`, which has one value or a list of them; nil when it is absent.
    mutating func oneOrMoreSettings(_ key: String) -> [Setting]? {
        guard case .scalar = node(key)?.value, session.override(of: path + [key]) == nil else { return settings(key) }
        return setting(key).map { [$0] }
    }

    private func setting(of node: ConfigurationNode, path: [String]) -> Setting? {
        guard case .scalar(let text, let kind) = node.value else {
            session.report(node.location, path, .wrongType(expected: "a single value"))
            return nil
        }
        if kind == .absent { return nil }
        do throws(Substitution.Failure) {
            let expanded = try Substitution(source: session.source).expand(text)
            let isLiteral = expanded.utf8.elementsEqual(text.utf8)
            return Setting(
                text: expanded, kind: isLiteral ? .literal(kind) : .derived, location: node.location, path: path)
        } catch {
            session.report(node.location, path, error.reason)
            return nil
        }
    }

    private func listNodes(_ key: String) -> [ConfigurationNode]? {
        guard let node = node(key) else { return nil }
        switch node.value {
        case .list(let nodes): return nodes
        case .scalar(_, .absent): return []
        case .scalar, .section:
            session.report(node.location, path + [key], .wrongType(expected: "a list"))
            return nil
        }
    }

    private func node(_ key: String) -> ConfigurationNode? {
        members.first { $0.key.utf8.elementsEqual(key.utf8) }?.node
    }
}
