package import ArgumentParser
import Foundation
import StrictYAML

/// Word on the command line that is no command.
///
/// The argument parser takes it for a value and complains about the first option behind it.
package enum UnknownCommand {
    /// Ends the process with the code for wrong usage when a word among the arguments is no command of `root`.
    ///
    /// `moved` has the command that does what an earlier one did.
    package static func refuse(
        _ arguments: [String], of root: any ParsableCommand.Type, moved: [String: String] = [:]
    ) {
        guard let complaint = complaint(about: arguments, of: root, moved: moved) else { return }
        StandardError.write("Error: \(complaint)\n")
        exit(ExitCode.validationFailure.rawValue)
    }

    /// Sentence about the word that is no command; nil when all are, or when an option or a value comes first.
    static func complaint(
        about arguments: [String], of root: any ParsableCommand.Type, moved: [String: String] = [:]
    ) -> String? {
        var command = root
        var names = [name(of: root)]
        for word in arguments {
            let choices = command.configuration.subcommands
            guard !choices.isEmpty, !word.hasPrefix("-"), word != "help" else { return nil }
            if let next = choices.first(where: { name(of: $0) == word || $0.configuration.aliases.contains(word) }) {
                command = next
                names.append(word)
            } else {
                guard command.configuration.defaultSubcommand == nil else { return nil }
                let path = names.joined(separator: " ")
                if let new = moved[(names.dropFirst() + [word]).joined(separator: " ")] {
                    return
                        "\"\(path) \(word)\" is \"\(names[0]) \(new)\" now; \"\(names[0]) \(new) --help\" explains it"
                }
                let nearest = Suggestion.nearest(to: word, among: choices.map(name))
                return "there is no command \"\(path) \(ForeignText.name(word))\"; "
                    + (nearest.map { "did you mean \"\(path) \($0)\"? " } ?? "")
                    + "\"\(path) --help\" lists the commands"
            }
        }
        return nil
    }

    private static func name(of command: any ParsableCommand.Type) -> String {
        command.configuration.commandName ?? "\(command)"
    }
}
