extension SectionReader {
    /// The setting `key` through `convert`, or nil when it is absent or not acceptable (which is then noted).
    package mutating func value<Value>(_ key: String, _ convert: (Setting) throws(Setting.Mismatch) -> Value) -> Value?
    {
        setting(key).flatMap { converted($0, convert) }
    }

    package mutating func values<Value>(_ key: String, _ convert: (Setting) throws(Setting.Mismatch) -> Value)
        -> [Value]?
    {
        settings(key)?.compactMap { converted($0, convert) }
    }

    /// The values of the setting `key`, which is one value or a list of them; nil when it is absent.
    package mutating func oneOrMore<Value>(_ key: String, _ convert: (Setting) throws(Setting.Mismatch) -> Value)
        -> [Value]?
    {
        oneOrMoreSettings(key)?.compactMap { converted($0, convert) }
    }

    package mutating func text(_ key: String) -> String? {
        value(key) { setting throws(Setting.Mismatch) in try setting.asText() }
    }

    package mutating func texts(_ key: String) -> [String]? {
        values(key) { setting throws(Setting.Mismatch) in try setting.asText() }
    }

    package mutating func integer(_ key: String, in range: ClosedRange<Int>, default standard: Int) -> Int {
        value(key) { setting throws(Setting.Mismatch) in try setting.asInteger(in: range) } ?? standard
    }

    package mutating func flag(_ key: String, default standard: Bool) -> Bool {
        value(key) { setting throws(Setting.Mismatch) in try setting.asFlag() } ?? standard
    }

    package mutating func duration(
        _ key: String, in range: ClosedRange<Duration>, default standard: Duration
    ) -> Duration {
        value(key) { setting throws(Setting.Mismatch) in try setting.asDuration(in: range) } ?? standard
    }

    package mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ key: String, default standard: Choice
    ) -> Choice {
        value(key) { setting throws(Setting.Mismatch) in try setting.asChoice(Choice.self) } ?? standard
    }

    /// A path, made absolute.
    package mutating func path(_ key: String) -> String? {
        text(key).map { session.source.absolute($0) }
    }

    /// The path of a file that has to be readable.
    package mutating func filePath(_ key: String) -> String? {
        guard let path = path(key) else { return nil }
        guard session.source.files.permissions(of: path) != nil else {
            report(key, .unreadableFile(path: path))
            return nil
        }
        return path
    }

    /// The path of a file that holds a secret: readable, and by its owner only.
    package mutating func secretFilePath(_ key: String) -> String? {
        guard let path = filePath(key) else { return nil }
        let permissions = session.source.files.permissions(of: path) ?? 0
        guard permissions & 0o077 == 0 else {
            report(key, .exposedFile(path: path, permissions: permissions))
            return nil
        }
        return path
    }

    private func converted<Value>(
        _ setting: Setting, _ convert: (Setting) throws(Setting.Mismatch) -> Value
    ) -> Value? {
        do throws(Setting.Mismatch) {
            return try convert(setting)
        } catch {
            session.report(setting.location, setting.path, error.reason)
            return nil
        }
    }
}
