import { runService } from '@sevenfold/chassis/service';
import { variables } from './config';
import { importsService } from './service';

void runService(importsService, variables, process.env);
