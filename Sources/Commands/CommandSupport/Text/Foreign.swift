/// Text that others have chosen: it is printed in the form of the place where it stands.
///
/// Interpolated as it is, it gives a warning, which is an error in this package. Pages have a form of their own (`PageValue`).
package protocol Foreign: CustomStringConvertible {
    var text: String { get }
}

extension Foreign {
    /// On a line of a terminal, which it cannot change.
    package var terminal: String { ForeignText.name(text) }
    /// As one word of a command that a person copies from a terminal into a shell.
    package var shell: String { ShellWord.quoted(text) }
}

extension DefaultStringInterpolation {
    @available(*, deprecated, message: "say where it is printed: .terminal or .shell")
    package mutating func appendInterpolation(_ foreign: some Foreign) { appendLiteral(foreign.terminal) }
}
