import ArgumentParser

/// Name on a command line, as an operator pastes it.
package struct GivenName: Foreign, ExpressibleByArgument, Sendable {
    package let text: String

    package init(argument: String) { text = argument }

    package var description: String { text }
}
