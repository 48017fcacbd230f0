import MobileAuthentication

/// Decides which authenticators and accounts an application shows.
struct AppValidators {
    let allowlist: [AuthenticatorAaid]

    /// The authenticators that may be registered now.
    func registrable(_ context: AuthenticatorSelectionContext) -> [any Authenticator] {
        context.authenticators.filter { authenticator in
            allowlist.contains { $0 == authenticator.aaid }
                && context.isPolicyCompliant(authenticatorAaid: authenticator.aaid)
                && authenticator.isSupportedByHardware && authenticator.isSupportedByOs
                && !authenticator.registration.isRegistered(context.account.username)
        }
    }

    /// The authenticators that may be used now.
    func usable(_ context: AuthenticatorSelectionContext) -> [any Authenticator] {
        context.authenticators.filter {
            $0.registration.isRegistered(context.account.username)
                && context.isPolicyCompliant(authenticatorAaid: $0.aaid)
        }
    }

    /// The accounts that can answer the server.
    func accounts(_ context: AccountSelectionContext) -> [any Account] {
        var accounts: [Username: any Account] = [:]
        for authenticator in context.authenticators where authenticator.isSupportedByHardware {
            for account in authenticator.registration.registeredAccounts
            where context.isPolicyCompliant(username: account.username, aaid: authenticator.aaid) {
                accounts[account.username] = account
            }
        }
        return Array(accounts.values)
    }
}
