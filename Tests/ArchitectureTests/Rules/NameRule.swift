/// Names say what a thing is: no word that fits anything, in a type, a file or a folder.
enum NameRule {
    static let forbiddenWords: Set<String> = [
        "Util", "Utils", "Utility", "Utilities", "Manager", "Helper", "Helpers", "Common", "Base", "Impl", "Info",
        "Data", "Misc", "Extensions", "Stuff",
    ]

    /// Names that a specification or the documented SDK has chosen.
    static let specifiedNames: Set<String> = [
        "AssertionInfo", "KeyRegistrationData", "TransactionConfirmationData", "SignedData", "ServerData", "LocalData",
        "MetaData", "RedeemData", "ImageDataURL", "RegistrationInfo", "AuthenticatorData", "CollectedClientData",
    ]

    static func violations(in file: SourceFile) -> [Violation] {
        let folders = file.components.dropLast().dropFirst().filter(isForbidden).map {
            Violation(file.path, 1, "folder \($0) says nothing")
        }
        let base = String(file.name.prefix { $0 != "+" })
        let name = isForbidden(base) ? [Violation(file.path, 1, "file name \(base) says nothing")] : []
        let types = file.types.filter { isForbidden($0.name) && $0.name != base }.map {
            Violation(file.path, $0.line, "type name \($0.name) says nothing")
        }
        return folders + name + types
    }

    /// Whether one of the words a name is made of is forbidden.
    static func isForbidden(_ name: String) -> Bool {
        guard !specifiedNames.contains(where: { name.hasPrefix($0) }) else { return false }
        return !forbiddenWords.isDisjoint(with: words(of: name))
    }

    /// `StoreFileHeader2` is made of Store, File, Header2.
    static func words(of name: String) -> [String] {
        var words: [String] = []
        for character in name {
            if character.isUppercase || words.isEmpty { words.append("") }
            words[words.count - 1].append(character)
        }
        return words
    }
}
