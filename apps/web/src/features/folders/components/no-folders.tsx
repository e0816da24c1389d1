/** The sidebar before the first folder; its 'Nova Pasta' stands above. */
export function NoFolders() {
  return (
    <div className="flex flex-col items-center gap-1 px-3 py-8 text-center">
      <p className="text-base font-medium">Nenhuma pasta ainda</p>
      <p className="text-sm text-ink-soft">Comece criando uma pasta para organizar seus links</p>
    </div>
  );
}
