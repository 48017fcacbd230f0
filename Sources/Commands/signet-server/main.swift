import ServerCommands

await SignetServerCommand.runProcess()
